"""Builds of many reports: jobs, their notebooks run, their folders published, the index."""
