"""The reference of the JSON documents, a page for each schema in resources/schema/."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.build.tree_pages import ROOT

SCHEMAS = ROOT / "resources" / "schema"
FOLDER = "reference/documents"

Schema = Mapping[str, Any]


def pages() -> dict[str, str]:
    """Each document's page by its place on the site, with the list of them."""
    found = {path: json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob("*.json"))}
    rows = [f"| [{each['title']}]({_name(path)}) | `{path.name}` |" for path, each in found.items()]
    index = [
        "# JSON documents",
        "",
        "What `--json` writes. The schemas are JSON Schema 2020-12 and lie in `resources/schema/`; "
        "a field is added within a version, and never changes its meaning there.",
        "",
        *("| document | schema |", "| --- | --- |", *rows, ""),
    ]
    return {
        f"{FOLDER}/index.md": "\n".join(index),
        **{f"{FOLDER}/{_name(path)}": _page(each) for path, each in found.items()},
    }


def _name(path: Path) -> str:
    return f"{path.stem}.md"


def _page(schema: Schema) -> str:
    name = schema["properties"]["schema"]["const"]
    lines = [f"# {schema['title']}", "", f"`{name}`. {schema['description']}", "", *_table(schema)]
    for part, inner in schema["$defs"].items():
        lines += [f"## {part}", "", *_said(inner), *_table(inner)]
    return "\n".join(lines)


def _said(schema: Schema) -> Iterator[str]:
    if schema.get("description"):
        yield from (schema["description"], "")


def _table(schema: Schema) -> Iterator[str]:
    rows = [f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in _fields(schema)]
    if rows:
        yield from ("| field | type | meaning |", "| --- | --- | --- |", *rows, "")
    else:
        yield from (f"Type: {_type(schema)}.", "")


def _fields(schema: Schema, within: str = "") -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of each field, those of an object within an object with dots."""
    for name, field in schema.get("properties", {}).items():
        meaning = " ".join(field.get("description", "").split()).replace("|", r"\|")
        yield f"{within}{name}", _type(field), meaning
        yield from _fields(field, f"{within}{name}.")
        yield from _fields(field.get("items", {}), f"{within}{name}[].")


def _type(field: Schema) -> str:
    """A field's type in words, as ``number or null``; another part of the document is a link."""
    if "$ref" in field:
        part = field["$ref"].rpartition("/")[2]
        return f"[{part}](#{part})"
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(each)}`" for each in field["enum"])
    for either in ("anyOf", "oneOf"):
        if either in field:
            return " or ".join(_type(each) for each in field[either])
    kinds = field.get("type", "any")
    if kinds == "array":
        return f"list of {_type(field.get('items', {}))}"
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
