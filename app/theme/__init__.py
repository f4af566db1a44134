"""How the window looks: tokens, the style sheet made from them, icons and fonts."""
