"""Chart and phrase-based decoding with n-gram language models.

Read `hypothesis` and `forest` (the data) first, then `base` and `decoder`. `parsing/` makes forests of sentences,
`search/` makes hypergraphs of forests, `kbest/` takes derivations from those, and `result` makes hypotheses of them.
`phrase` and `stacks` are the phrase-based decoder, `joshua/` reads Joshua's configurations. Terms are explained in
`search/__init__.py`.
"""
