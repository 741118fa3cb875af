"""Balance reports: what races and the exact solution tell of a course, a match, a lake or a track, as one HTML page."""
