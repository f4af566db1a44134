"""What the views show, decided here: rows, sentences, pictures and scenes; no widget is known."""
