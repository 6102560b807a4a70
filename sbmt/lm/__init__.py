"""N-gram language models: querying (KenLM), estimating, mixing, writing."""
