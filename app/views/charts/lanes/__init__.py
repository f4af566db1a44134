"""Small charts below each other, over one axis."""
