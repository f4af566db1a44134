"""Results of fio, in its two forms."""
