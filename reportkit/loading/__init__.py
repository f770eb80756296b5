"""Files -> scores: reading, policies of runs, scores folders, the demonstration."""
