"""Results of other programs, read into points."""

from probes.errors import ImportRefused
from probes.imports.imported import Imported
from probes.imports.read import read_import

__all__ = ["ImportRefused", "Imported", "read_import"]
