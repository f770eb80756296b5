"""What tables and documents alike bring with them: the script and the policy of a page, and the
preamble of LaTeX. It lies below both, so that documents are written without what makes tables.
"""

import base64
import functools
import hashlib

from markupsafe import Markup

from reportkit.text.assets import asset
from reportkit.text.environment import environment


@functools.cache
def table_script() -> Markup:
    """The script that sorts and copies every table of a page."""
    return Markup(asset("templates", "table.js").read_text(encoding="utf-8"))


def content_policy(*scripts: str) -> Markup:
    """A Content-Security-Policy that lets a page load nothing but data, and run no script but
    these.
    """
    digests = (
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts
    )
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return Markup(
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "media-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def render_preamble() -> str:
    """reportkit-preamble.tex: the packages and macros that the LaTeX drop-ins need."""
    return environment("tex").get_template("reportkit-preamble.tex.j2").render()
