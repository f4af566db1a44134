"""What a user may change of a live server: each knob, and what it makes of the server."""
