"""Analyses of simplification systems beyond scores: features, transformations, reports, meta-evaluation."""
