"""Between the window and the use cases: each follows one subject and says when it changed."""
