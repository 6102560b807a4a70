"""From raw text to tokens and back, byte for byte."""
