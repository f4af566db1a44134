"""Every fact that a rule may ask for, a module an area."""
