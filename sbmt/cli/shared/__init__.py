"""What several commands share: running them, parsers and options, and reading what they are given."""
