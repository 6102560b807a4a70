"""The starter grammar: word lists written by this project, expanded to paraphrase rules."""
