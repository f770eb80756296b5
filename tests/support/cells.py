"""Cells of notebooks with what a report shows in them."""

import base64
import io

from nbformat.v4 import new_code_cell, new_output

from reportkit.tables.writers.render import render_table


def figure(fmt: str) -> str:
    from matplotlib.figure import Figure

    fig, out = Figure(figsize=(4, 2)), io.BytesIO()
    fig.subplots().plot([1, 2, 3])
    fig.savefig(out, format=fmt)
    return base64.b64encode(out.getvalue()).decode() if fmt == "png" else out.getvalue().decode()


def code(*outputs, tags=()):
    return new_code_cell("secret_code()", metadata={"tags": list(tags)}, outputs=list(outputs))


def shown(**data):
    mimes = {
        "html": "text/html",
        "md": "text/markdown",
        "tex": "text/latex",
        "typ": "text/vnd.typst",
        "plain": "text/plain",
    }
    mimes |= {"png": "image/png", "svg": "image/svg+xml"}
    return new_output("display_data", data={mimes[k]: v for k, v in data.items()})


def table(which):
    return shown(
        plain="x", **{fmt: render_table(which, fmt) for fmt in ("html", "md", "tex", "typ")}
    )
