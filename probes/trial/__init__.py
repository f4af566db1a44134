"""A trial on a live server: setting values, holding the way back, and measuring blocks."""
