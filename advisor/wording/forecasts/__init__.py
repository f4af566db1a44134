"""What is said of forecasts: what limits, and what changes."""
