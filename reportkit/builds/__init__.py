"""Builds: jobs, running their notebooks, publishing folders, the index."""
