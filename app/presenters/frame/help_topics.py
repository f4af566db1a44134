"""Pages of the help that menus lead to, by name; light enough for the window's frame."""

from __future__ import annotations

MANUAL = "tutorial"
"""Where the documentation begins."""

KEYS, GLOSSARY, ABOUT = "keys", "glossary", "about"
