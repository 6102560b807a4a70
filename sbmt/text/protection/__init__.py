"""What must never be changed: names, numbers, addresses, code and markup, and what the user lists."""
