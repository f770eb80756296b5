"""Every code of a warning is in the guide's list, and every code of the list is used."""

import ast

from support.places import ROOT

from reportkit.analysis.codes import CODES, reference


def code_of(node: ast.AST) -> ast.expr | None:
    """The expression that a statement or call uses as the code of a warning."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        place = {"Warning": 0, "_of_eval": 1}.get(node.func.id)
        return None if place is None else node.args[place]
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and ast.unparse(target) == "(code, message)":
            return node.value.elts[0] if isinstance(node.value, ast.Tuple) else None
        if isinstance(target, ast.Name) and target.id == "code":
            return node.value
    return None


def test_the_list_holds_the_codes_that_there_are():
    used = set()
    for path in (ROOT / "reportkit" / "analysis").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            code = code_of(node)
            if isinstance(code, ast.Constant):
                used.add(code.value)
    assert used == set(CODES)


def test_the_guide_has_a_row_for_each():
    assert len(reference().splitlines()) == 2 + len(CODES)
