"""Features of paraphrase rules, one family a file."""

if __name__ != "sbmt.features":  # imported from the checkout's root: a second copy of every class would exist
    raise ImportError("import sbmt.features, not features")
