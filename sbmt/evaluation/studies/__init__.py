"""Studies that qualify what scores mean, recomputed: the paper's figure, ours, and why they differ."""
