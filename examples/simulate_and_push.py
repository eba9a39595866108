"""A clip in, a pushed character, animation out; what the push changed, and how much help the character used."""

from pathlib import Path

import poise

OUT = Path("out")
OUT.mkdir(exist_ok=True)

# A built-in clip; the path of any motion file works the same. Forces are in the world frame, newtons.
push = poise.Push("chest", (250, 0, 0), at=1.0, duration=0.2)
calm = poise.simulate("walk")
pushed = poise.simulate("walk", robustness="plausible", events=[push])

# The ending picks the format: .bvh .glb .npz .mp4 .png .csv
for ending in (".glb", ".bvh", ".png"):
    pushed.save(OUT / f"walk_pushed{ending}")

# A take is plain arrays: times (N,), positions (N, segments, 3), the centre of mass (N, 3) …
apart = abs(pushed.com[:, 0] - calm.com[:, 0])
soon = apart[(pushed.times > push.at) & (pushed.times < push.at + 0.5)].max()
print(f"within half a second the push moves the centre of mass by {100 * soon:.1f} cm")

result = poise.summary(pushed)
print(f"completed: {result['completed']}, joint error {result['joint_error_deg']['mean']:.1f}°")
print(f"help used: {result['help']['force_mean_bw']:.2f} of body weight, {result['help']['torque_mean_nm']:.0f} Nm")

assert result["completed"]
assert apart[pushed.times < push.at].max() == 0.0, "nothing happens before the push: runs are deterministic"
assert 0.02 < soon < 0.5, "it gives way, and keeps its feet"
assert result["help"]["force_mean_bw"] == 0.0, "balance uses no artificial force"
