"""The rules: a package per family, a module per rule; ``_modules`` are what a family shares."""
