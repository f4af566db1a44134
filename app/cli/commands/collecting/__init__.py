"""Commands for what others measured or collected: the script for it, files, many servers."""
