"""What the figures of a case may truly be: draws of them, and the value that all of them bear."""
