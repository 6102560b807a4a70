"""Tokenisation of raw text, protection of spans, glossaries, and writing output words back as text."""
