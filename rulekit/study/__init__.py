"""Studies: what the parts of a game do to its races, from exact solutions and from played ones."""
