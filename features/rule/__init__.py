"""Features of a rule alone, computed from its two sides: one family a module."""
