"""The parts of scripts/turkcorpus.py: cached steps, what is compared, figures and tables."""
