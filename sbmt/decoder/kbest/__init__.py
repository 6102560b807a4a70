"""The k best derivations of a hypergraph.

Read `best` first (the single best derivation), then `lazy` (k best derivations of any node) and `chains`, which uses it
along chains of glue and makes the n-best list.
"""
