"""Numbers of a take: tracking, balance, and the receipt of artificial help. Pure functions."""
