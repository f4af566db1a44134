"""What a user may say of a target and of a run, declared once for the window and the terminal."""
