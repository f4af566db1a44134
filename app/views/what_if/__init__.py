"""The page that says what a change would bring."""
