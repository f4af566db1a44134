"""Documents on paper: laid out as pages, drawn, and written as PDF."""
