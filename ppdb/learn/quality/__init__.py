"""RuleQuality, a learnt estimate of how people would rate a paraphrase, and word vectors as evidence for it."""
