"""Results of other programs, read into points."""

from probes.imports.imported import Imported
from probes.imports.read import read_import
from probes.imports.refused import ImportRefused

__all__ = ["ImportRefused", "Imported", "read_import"]
