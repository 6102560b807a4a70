"""The version of the package, which signatures of metrics and models quote."""

__version__ = "0.1.0"
