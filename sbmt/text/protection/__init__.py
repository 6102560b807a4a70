"""Protection of names, numbers, addresses, code, markup, and patterns listed by the user."""
