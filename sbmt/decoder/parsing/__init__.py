"""From a sentence to its parse forest: CYK+ over the grammars' source sides.

Read `parser` first, then `chart` (with `column`), `dots` and `grammar_view`. `dot_arrays` and `visited` do the work of
`dots` for grammars with very many labels; `span_limits` and `unary` are small helpers.
"""
