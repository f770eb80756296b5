"""How often the printed intervals hold the truth, simulated on evals of the same shape."""
