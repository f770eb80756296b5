"""The JSON Schema of results.json, made from the records themselves: `python -m reportkit.schema`
prints it.
"""

import dataclasses
import json
import typing
from typing import Any

from reportkit import results
from reportkit.requested import REQUESTED

TYPES: dict[Any, Any] = {
    str: "string", int: "integer", float: ["number", "null"], bool: "boolean"
}  # fmt: skip

# fields of an EvalResult that hold records
RECORDS = (
    "means", "differences", "pairs", "power", "certificates", "usage", "published",
    "other_questions",
)  # fmt: skip


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
    } | _with_suite(
        {
            "format": {"const": results.FORMAT},
            "report": _object(report),
            "evals": {"type": "array", "items": _eval()},
            "warnings": {"type": "array", "items": _record(results.Warning)},
        }
    )


def _with_suite(properties: dict[str, Any]) -> dict[str, Any]:
    """The file's own object; `suite` stands in the report over several evals alone."""
    schema = _object(properties)
    schema["properties"]["suite"] = _suite()
    return schema


def _suite() -> dict[str, Any]:
    hints = typing.get_type_hints(results.SuiteResult)
    names = {"type": "array", "items": {"type": "string"}}
    properties: dict[str, Any] = {}
    for name in results.SUITE_FIELDS:
        hint = hints[name]
        if name == "models":
            properties[name] = names
        elif name == "same_questions":  # groups of evals
            properties[name] = {"type": "array", "items": names}
        elif name == "baseline":
            properties[name] = {"type": ["string", "null"]}
        elif hint in TYPES:
            properties[name] = {"type": TYPES[hint]}
        elif typing.get_origin(hint) is tuple:
            properties[name] = {"type": "array", "items": _record(typing.get_args(hint)[0])}
        else:
            of = {"type": TYPES[typing.get_args(hint)[1]]}
            properties[name] = {"type": "object", "additionalProperties": of}
    return _object(properties)


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
    simple = {"eval", "metric", "n_questions", "n_clusters", "n_common", "lower", "category"}
    hints = typing.get_type_hints(results.EvalResult)
    properties: dict[str, Any] = {}
    for field in dataclasses.fields(results.EvalResult):
        if field.name in simple:
            properties[field.name] = {"type": TYPES[hints[field.name]]}
        elif field.name == "scale":
            properties["scale"] = _record(results.Scale)
        elif field.name in ("models", "subtasks"):
            properties[field.name] = {"type": "array", "items": {"type": "string"}}
        elif field.name == "baseline":
            properties["baseline"] = {"type": ["string", "null"]}
        elif field.name in RECORDS:
            properties[field.name] = {
                "type": "array",
                "items": _record(typing.get_args(hints[field.name])[0]),
            }
    schema = _object(properties)
    asked = schema["properties"]  # from here on: only in reports that have them
    for name in results.WHERE_ANY:
        schema["required"].remove(name)
    asked["ranks"] = {"type": "array", "items": _record(results.RankResult)}
    asked |= {name: {"type": "array", "items": _record(kind)} for name, kind in REQUESTED.items()}
    asked["refused"] = {"type": "object", "additionalProperties": {"type": "string"}}
    return schema


if __name__ == "__main__":
    print(json.dumps(results_schema(), indent=1))
