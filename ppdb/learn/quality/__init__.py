"""RuleQuality: a learnt estimate of how good people would find a paraphrase; word vectors as evidence for it."""
