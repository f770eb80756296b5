"""What pytest leaves alone here: scripts that run with a harness of their own."""

collect_ignore = ["inspect_fresh_logs.py"]
