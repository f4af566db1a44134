"""The two fronts: the window and the command line."""
