"""What is shown around the pages: headlines, sidebar, header, help."""
