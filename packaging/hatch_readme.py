"""Makes the README fit to be shown by a package index, away from the tree that its links lead into.

Where pyproject.toml names the place of the sources (``Source`` in ``[project.urls]``), links and
pictures lead there, to the tag of the version. Else links are plain text, and there is no picture.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)")


class Readme(MetadataHookInterface):
    """Gives the project's metadata their long description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README; hatchling calls this."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source", "")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": shown_elsewhere(text, source, metadata["version"]),
        }


def shown_elsewhere(text: str, source: str, version: str) -> str:
    """A Markdown page whose relative links lead to ``source`` at the tag of ``version``.

    ``source`` is "" where nobody knows it.
    """

    def away(found: re.Match[str]) -> str:
        picture, words, place = found.groups()
        if not source:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({source.rstrip('/')}/{kind}/v{version}/{place})"

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(away, text))
