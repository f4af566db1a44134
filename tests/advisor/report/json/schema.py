"""The document's schema, as it ships."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import jsonschema


def schema(name: str = "check-5.json") -> dict[str, Any]:
    text = (resources.files("resources") / "schema" / name).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def faults(content: object, name: str = "check-5.json") -> list[str]:
    """What is wrong with a document; empty when it is valid."""
    validator = jsonschema.Draft202012Validator(schema(name))
    return [f"{fault.json_path}: {fault.message}" for fault in validator.iter_errors(content)]
