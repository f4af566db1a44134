"""One target configuration: all that is to be changed, computed together."""
