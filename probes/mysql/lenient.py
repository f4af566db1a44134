"""UTF-8 whose faults are replaced: a server shows others' statements byte for byte."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

LENIENT = "leadline_utf8"


def _decode(data: Buffer, errors: str = "replace", /) -> tuple[str, int]:
    return codecs.utf_8_decode(data, "replace", True)


def _find(name: str) -> codecs.CodecInfo | None:
    if name != LENIENT:
        return None
    return codecs.CodecInfo(codecs.utf_8_encode, _decode, name=LENIENT)


codecs.register(_find)
