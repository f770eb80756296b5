"""The JSON Schema of results.json, made from the records themselves: `python -m reportkit.schema`
prints it.
"""

import dataclasses
import json
import typing
from typing import Any

from reportkit import results
from reportkit.requested import REQUESTED

TYPES: dict[Any, Any] = {str: "string", int: "integer", float: ["number", "null"]}


def results_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of results.json; a float may be null, which means undefined.

    >>> results_schema()["properties"]["format"]
    {'const': 'reportkit/results@1'}
    """
    report = {
        "name": {"type": "string"},
        "notebook": {"type": "string"},
        "parameters": {"type": "object"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": results.FORMAT,
    } | _object(
        {
            "format": {"const": results.FORMAT},
            "report": _object(report),
            "evals": {"type": "array", "items": _eval()},
            "warnings": {"type": "array", "items": _record(results.Warning)},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _record(kind: type) -> dict[str, Any]:
    return _object(
        {name: {"type": TYPES[hint]} for name, hint in typing.get_type_hints(kind).items()}
    )


def _eval() -> dict[str, Any]:
    simple = {"eval", "metric", "n_questions", "n_clusters", "n_common"}
    hints = typing.get_type_hints(results.EvalResult)
    properties: dict[str, Any] = {}
    for field in dataclasses.fields(results.EvalResult):
        if field.name in simple:
            properties[field.name] = {"type": TYPES[hints[field.name]]}
        elif field.name == "models":
            properties["models"] = {"type": "array", "items": {"type": "string"}}
        elif field.name == "baseline":
            properties["baseline"] = {"type": ["string", "null"]}
        elif field.name in ("means", "differences", "pairs", "power", "certificates"):
            properties[field.name] = {
                "type": "array",
                "items": _record(typing.get_args(hints[field.name])[0]),
            }
    schema = _object(properties)
    asked = schema["properties"]  # from here on: only in reports that were asked for them
    schema["required"].remove("certificates")
    asked["ranks"] = {"type": "array", "items": _record(results.RankResult)}
    asked |= {name: {"type": "array", "items": _record(kind)} for name, kind in REQUESTED.items()}
    asked["refused"] = {"type": "object", "additionalProperties": {"type": "string"}}
    return schema


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=1))
