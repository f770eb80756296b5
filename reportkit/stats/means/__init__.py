"""One model: the mean of its question scores, its standard error and its interval."""
