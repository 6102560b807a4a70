"""Learning paraphrase rules from parallel text: alignment, extraction, scoring, pivoting."""
