"""Posteriors of shares of right answers, of one model and of two."""
