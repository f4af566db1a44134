"""The templates of reports that a user can choose from, and those that he keeps."""

from __future__ import annotations

from pathlib import Path

from advisor.report.document import templates
from advisor.report.document.templates import BUILT_IN, Template
from probes.home import home


class ReportTemplates:
    """Built in, or files of Leadline's own folder: small ones, read when they are chosen."""

    @property
    def folder(self) -> Path:
        """Where they are kept."""
        return home() / templates.FOLDER

    def names(self) -> list[str]:
        """Those built in first; raises StoreError without a place for files."""
        return [*BUILT_IN, *templates.kept_in(self.folder)]

    def named(self, name: str) -> Template:
        """The one called so; raises UsageError where there is none or its file is wrong."""
        return templates.named(name, self.folder)

    def keep(self, name: str, template: Template) -> Path:
        """Keep it under a name, in place of another of that name; raises UsageError."""
        return templates.keep(self.folder, name, template)
