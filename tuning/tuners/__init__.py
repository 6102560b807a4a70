"""Tuners: PRO, batch MIRA and MERT, each fitting weights to a pool of candidates (`tuner` is their interface)."""
