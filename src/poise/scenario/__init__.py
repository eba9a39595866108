"""What happens during a run: ground, pushes, balls."""
