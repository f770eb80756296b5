"""Scores: the rows of the one table, runs, what may be compared, and the self-check."""
