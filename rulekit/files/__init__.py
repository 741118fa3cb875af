"""Lakes, courses and tracks: text to values, with every fault at its line and column."""
