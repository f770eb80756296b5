"""Many comparisons at once: which models may be the best, ranks, intervals that hold together."""
