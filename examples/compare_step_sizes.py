"""The same clip with steps of 0.5 to 4 ms and the same gains: damping is integrated implicitly, so the result hardly changes."""

import poise

push = poise.Push("chest", (0, 300, 0), at=1.0, duration=0.2)
error, speed = {}, {}
for dt in (0.0005, 0.001, 0.002, 0.004):
    take = poise.simulate("punch", dt=dt, events=[push])
    result = poise.summary(take)
    error[dt], speed[dt] = result["joint_error_deg"]["mean"], result["realtime_factor"]
    print(f"{1000 * dt:3.1f} ms: joint error {error[dt]:.3f}°, {speed[dt]:.0f} times real time")

spread = max(error.values()) - min(error.values())
print(f"the errors lie within {spread:.3f}° of each other")

assert spread < 0.2
assert speed[0.004] > speed[0.0005]
