"""The simulated world, its ground, its contacts and everything that can be sensed in it."""
