"""Files: which ones a name stands for, how they are opened and unpacked, and their limits."""
