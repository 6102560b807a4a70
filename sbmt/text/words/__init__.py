"""What is known of English words: closed classes, inflected forms, syllables, frequencies."""
