"""Multi-objective control of characters made of limbs (Çimen et al.)."""
