"""What the figures of a case may truly be: draws of them, and the value safe for all."""
