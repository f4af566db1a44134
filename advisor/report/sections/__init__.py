"""The sections of reports, each a function from what is reported to blocks."""
