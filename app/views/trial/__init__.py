"""The page of a trial on the live server."""
