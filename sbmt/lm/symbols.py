"""Symbols of target sides, and the words with a special meaning in every n-gram model."""

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = (BEGIN, END)  # of a sentence
Symbol = str | int  # a word, or the number of a gap of the source side (from 0)
