"""Rules about servers that commit together."""
