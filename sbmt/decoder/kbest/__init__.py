"""From a hypergraph to its k best outputs."""
