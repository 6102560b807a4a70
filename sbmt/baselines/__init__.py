"""Baselines that every simplification system should be compared with, as translators and bundles."""
