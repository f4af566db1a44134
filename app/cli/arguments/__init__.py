"""What commands take: targets, cases, curves, and the options that they share."""
