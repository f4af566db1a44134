"""What the Probe page offers, and how its guard stands."""
