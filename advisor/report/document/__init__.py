"""A report as blocks, whoever prints it: their kinds, the cover, the choice of sections."""
