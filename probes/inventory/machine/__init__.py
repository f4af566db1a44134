"""What a machine answers and what it means: processors, kernel, drives, the layers between."""
