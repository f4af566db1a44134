"""What a check found, as a document for programs and as text for people."""
