"""Paraphrase rules: formats, packed grammars, the starter grammar, learning from text."""

if __name__ != "sbmt.ppdb":  # imported from the checkout's root: a second copy of every class would exist
    raise ImportError("import sbmt.ppdb, not ppdb")
