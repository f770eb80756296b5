"""`python -m reportkit` is the command `reportkit`."""

from reportkit.cli import main

main()
