"""Two models on the same questions, one pair or all pairs at once: difference, test, interval."""
