"""What is said of measured points: doubts, findings, figures, comparisons."""
