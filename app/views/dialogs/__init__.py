"""What opens over the window: a target, a question, closing, what this program is."""
