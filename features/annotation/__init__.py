"""Annotating rule files with features: in memory, or streaming, in parallel and resumable."""
