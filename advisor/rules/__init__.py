"""The rules: a package per family, a module per rule, and the engine that runs them."""
