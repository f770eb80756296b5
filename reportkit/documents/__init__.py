"""An executed notebook -> HTML, Markdown, LaTeX and PDF."""
