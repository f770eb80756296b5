"""Markdown from a template that a test writes."""

from typing import Any

from reportkit.text.environment import environment


def render_prose(template: str, **values: Any) -> str:
    """The template in Markdown with its values, which print as themselves."""
    return environment("md").from_string(template).render(**values)
