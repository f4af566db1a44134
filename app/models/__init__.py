"""What the views show, decided here; no widget is known."""
