"""Features of a rule applied at a place in a sentence: stateless features that look at the words around it.

`application` defines what they see; `label_clash` and `word_clash` check grammar, `repeats`, `excepted` and `refused`
check wording, and `change_odds` weighs changes by how likely a simplifier is to make them.
"""
