"""The words that have a meaning of their own in every n-gram model."""

BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
MARKS = (BEGIN, END)  # of a sentence
