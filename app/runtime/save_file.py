"""Asking where a file is to be saved: beside the last one, at first in the user's home."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.runtime.preferences import Preferences

FOLDER = "files/saved"


def ask_where(parent: QWidget | None, title: str, name: str, kinds: dict[str, str]) -> Path | None:
    """The file that the user chooses, with its kind's ending where none was typed; None for none.

    ``name`` is what is proposed; ``kinds`` are endings by what each is called, the first in front.
    """
    preferences = Preferences()
    folder = Path(preferences.text(FOLDER, str(Path.home())))
    filters = {f"{caption} (*{ending})": ending for caption, ending in kinds.items()}
    proposed = str(folder / name if folder.is_dir() else Path.home() / name)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, proposed, ";;".join(filters))
    if not chosen:
        return None
    path = Path(chosen)
    preferences.set_text(FOLDER, str(path.parent))
    return path if path.suffix else path.with_suffix(filters.get(kind, next(iter(kinds.values()))))
