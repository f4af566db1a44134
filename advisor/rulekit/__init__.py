"""What rules are written with, and the engine that runs them."""
