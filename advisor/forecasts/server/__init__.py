"""A live server for the model: what its watch saw, its settings, its drive's curves."""
