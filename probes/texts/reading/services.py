"""What the command lines of cloud services print of a managed server, as JSON.

``aws rds describe-db-instances`` and ``describe-db-parameters``, ``az mysql flexible-server show``
and ``parameter list``, ``gcloud sql instances describe``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.texts.reading.pieces import Piece, SettingsPiece, StatedPiece

_MOST_BYTES = 8 << 20
_AZURE, _CLOUD_SQL, _RDS, _AURORA = "Azure", "Google", "Amazon RDS", "Aurora"
"""Who runs a server, in the words of ``ServerVersion.vendor``."""


def read_service(lines: Sequence[str]) -> Iterator[Piece]:
    """Class, volume, version and parameters; nothing where the text is no such document."""
    text = "\n".join(lines).strip()
    if text[:1] not in ("{", "["):
        return
    try:
        document = decode(text, _MOST_BYTES)
    except Malformed:
        return
    parameters: dict[str, str] = {}
    for each in _objects(document):
        yield from _instance(each)
        name, value = each.get("ParameterName"), each.get("ParameterValue")
        # A formula is what the service reckons with, and no value.
        if isinstance(name, str) and isinstance(value, str) and "{" not in value:
            parameters[name] = value
    if parameters:
        yield SettingsPiece(parameters, whole=False)


def _objects(document: object) -> Iterator[Mapping[str, Any]]:
    """The objects that describe something: the document, and those in its lists."""
    waiting = [document]
    while waiting:
        each = waiting.pop(0)
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, Mapping):
            yield each
            waiting += [inner for inner in each.values() if isinstance(inner, list)]


def _instance(each: Mapping[str, Any]) -> Iterator[StatedPiece]:
    if "DBInstanceClass" in each:
        engine = _text(each, "Engine")
        version = _text(each, "EngineVersion")
        yield StatedPiece(
            version=f"{version}-MariaDB" if engine == "mariadb" else _mysqls(version),
            machine_class=_text(each, "DBInstanceClass"),
            volume_requests_per_s=_whole(each, "Iops"),
            volume_bytes_per_s=_whole(each, "StorageThroughput") << 20,
            service=_AURORA if engine.startswith("aurora") else _RDS,
        )
    elif isinstance(each.get("sku"), Mapping) and isinstance(each.get("storage"), Mapping):
        yield StatedPiece(
            version=_text(each, "fullVersion") or _text(each, "version"),
            machine_class=_text(each["sku"], "name"),
            volume_requests_per_s=_whole(each["storage"], "iops"),
            service=_AZURE,
        )
    elif isinstance(each.get("settings"), Mapping) and "databaseVersion" in each:
        named = re.fullmatch(r"MYSQL_(\d+)_(\d+)(?:_(\d+))?", _text(each, "databaseVersion"))
        settings = each["settings"]
        yield StatedPiece(
            version=".".join(filter(None, named.groups())) if named else "",
            machine_class=_text(settings, "tier"),
            volume_requests_per_s=_whole(settings, "dataDiskProvisionedIops"),
            service=_CLOUD_SQL,
        )


def _mysqls(version: str) -> str:
    """MySQL's own part of a version: Aurora puts its own behind it."""
    return version.partition(".mysql_aurora")[0]


def _text(each: Mapping[str, Any], name: str) -> str:
    value = each.get(name)
    return value if isinstance(value, str) and len(value) < 100 else ""


def _whole(each: Mapping[str, Any], name: str) -> int:
    value = each.get(name)
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isdecimal() and len(text) < 10 else 0
