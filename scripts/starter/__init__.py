"""What makes the starter model's lists (ppdb/starter/*.txt) into its grammar; scripts/make_starter.py writes it."""
