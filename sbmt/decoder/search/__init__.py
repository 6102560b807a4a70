"""From a forest and weights to a hypergraph: cube pruning with language models, cell by cell."""
