"""Graph checks of lakes and courses: dead water, bays, choke points, legs, passages."""
