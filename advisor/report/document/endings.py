"""The endings of files that reports are written to."""

CSV = ".csv"
HTML = ".html"
JSON = ".json"
MARKDOWN = ".md"

PDF = ".pdf"
"""What is laid out on paper, by whoever can: it is no text."""
