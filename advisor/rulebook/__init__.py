"""The rules as a book: their pages, and whether each is complete."""
