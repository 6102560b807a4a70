"""Chart and phrase-based decoding with n-gram language models."""
