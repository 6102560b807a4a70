"""From a sentence to its parse forest: CYK+ over the grammars' source sides."""
