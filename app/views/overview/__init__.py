"""The page that shows what a target is."""
