"""Text and fonts: numbers as text, escaping, widths, the Jinja environments."""
