"""Symbols of target sides, and the words that have a meaning of their own in every n-gram model."""

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = (BEGIN, END)  # of a sentence
Symbol = str | int  # a word, or the number of a gap of the source side (from 0)
