"""A document as a file: HTML and Markdown."""
