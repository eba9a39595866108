"""A take as pictures: filmstrips and plots."""
