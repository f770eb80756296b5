"""A table as Markdown, LaTeX, HTML, Typst, CSV and plain text."""
