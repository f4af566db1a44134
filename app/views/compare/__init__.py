"""The page that shows drives side by side."""
