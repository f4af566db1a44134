"""Results of other programs, read into points."""
