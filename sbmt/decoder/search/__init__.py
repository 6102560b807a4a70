"""From a forest and weights to a hypergraph: cube pruning with language models, cell by cell.

Terms:
- cell: everything over one span; the unit of search, with a pop limit of its own.
- item: a span with a label; what fills a gap.
- cube: one source side at one place: its rules and the hypotheses in its gaps are the axes, each best first.
- node: an item with a state of the stateful features, that is, a set of recombined hypotheses.
- edge: one application of a rule to chosen nodes in its gaps; one way to make a node.
- swing: how much later context can, in all likelihood, change the difference between two partial outputs.
- deficit: how much worse a derivation is than the best; of an edge, the least of any derivation through it.

Read `search` first, then `chart`, `scorer` (with `joiner` and `lexical`), `cube`, `cell`, `deferred`; `glue` and
`widening` are the fast path for glue rules.
"""
