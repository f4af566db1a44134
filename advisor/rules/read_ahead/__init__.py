"""Rules on pages that are read before anybody asks for them."""
