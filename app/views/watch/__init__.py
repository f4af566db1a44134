"""The page that shows what a server itself does."""
