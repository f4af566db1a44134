"""Widgets: they show a model and forward what the user does."""
