"""nbformat and papermill without what a build never asks them for."""

import importlib.util
import subprocess
import sys

import pytest

CODE = """
import sys
from reportkit.text.notebooks import light_nbformat
light_nbformat().validate({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
assert "lark" not in sys.modules and "rfc3987_syntax" not in sys.modules
assert light_nbformat() is sys.modules["nbformat"]
import rfc3987_syntax  # who asks for it gets it
assert rfc3987_syntax.is_valid_syntax("iri", "https://example.org/")
"""


@pytest.mark.slow
def test_the_grammar_of_addresses_is_not_built_and_stays_to_be_had():
    """It took 1.1 of 1.4 seconds of processor time of the import."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


CLOUDS = """
import sys
from reportkit.text.notebooks import light_papermill
light_papermill()
assert "papermill" in sys.modules and not {"gcsfs", "boto3"} & set(sys.modules)
import gcsfs
"""


@pytest.mark.skipif(not importlib.util.find_spec("gcsfs"), reason="nothing to leave out")
def test_the_clients_of_clouds_are_not_imported_and_stay_to_be_had():
    """They took 0.7 of 1.1 seconds of processor time of the import."""
    done = subprocess.run([sys.executable, "-c", CLOUDS], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
