"""What every frozen Leadline holds: the part that the specifications for all systems share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import manifest
from PyInstaller.utils.hooks import (  # type: ignore[import-untyped]
    collect_submodules,
    copy_metadata,
)

ROOT = Path(__file__).resolve().parents[1]
START = ROOT / "app" / "__main__.py"
BUNDLE = "org.leadline.Leadline"
CASE_TYPE = f"{BUNDLE}.case"
"""How macOS calls the program, and the type of its case files."""


def analysed() -> dict[str, Any]:
    """The arguments of PyInstaller's Analysis; the list of parts is written anew."""
    manifest.write(ROOT)
    shipped = [*manifest.resources(ROOT), *manifest.WRITTEN]
    return {
        "pathex": [str(ROOT)],
        # Rules are found by scanning, keyring's backends by entry points: no import names them.
        "hiddenimports": [
            "resources",
            *manifest.modules(ROOT),
            *collect_submodules("hdrh"),
            *collect_submodules("keyring.backends"),
        ],
        "datas": [
            *[
                (str(ROOT / "resources" / name), str((Path("resources") / name).parent))
                for name in shipped
            ],
            *copy_metadata("keyring"),
            *copy_metadata("typst"),  # with its licence
        ],
        "excludes": ["tkinter", "pytest", "IPython", "matplotlib", "PyInstaller", "setuptools"],
        # Docstrings are the rules' pages: no optimisation may drop them.
        "optimize": 0,
    }


def property_list(version: str) -> dict[str, Any]:
    """What macOS reads of the bundle: its version, and that it opens case files."""
    return {
        "CFBundleName": "Leadline",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": version,
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": "12.0",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Leadline authors. Apache-2.0.",
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Leadline case",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [CASE_TYPE],
            }
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": CASE_TYPE,
                "UTTypeDescription": "Leadline case",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["leadline"]},
            }
        ],
    }
