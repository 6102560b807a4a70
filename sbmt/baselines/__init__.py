"""Baselines as translators: what every simplification system should be compared with, in bundles like any other."""
