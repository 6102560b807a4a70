"""Simplification metrics, each under a named convention, built on sufficient statistics."""
