"""The one place where the version stands; metric and model signatures quote it."""

__version__ = "0.1.0"
