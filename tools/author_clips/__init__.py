"""Authors the clips that Poise ships.

A clip is a *score* (`clips/`): curves for trunk, arms, feet and the sharing of weight. `perform` turns a score into a motion,
with `layers` that make it live (breath, drift, lag, drag) and `limbs` that reach; `balance` moves the hips until the ground
could hold it up. Masses and lengths are in `body`, curves in `curves`, feet in `feet`, walking in `gait`.
"""
