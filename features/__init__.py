"""Features of paraphrase rules.

- `rule`: features that a rule alone determines, one family a module.
- `annotation`: adding these to files of rules.
- `sentence`: features of a rule at its place in a sentence.
- `catalogue`: every feature with its meaning and sign.
"""

if __name__ != "sbmt.features":  # imported from the checkout's root: a second copy of every class would exist
    raise ImportError("import sbmt.features, not features")
