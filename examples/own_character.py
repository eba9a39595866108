"""A character of one's own: the built-in human as a TOML file, made heavier by editing the text, then simulated."""

from pathlib import Path

import poise
from poise.character.toml import to_toml
from poise.physics.world import save_mjcf

OUT = Path("out")
OUT.mkdir(exist_ok=True)
BAG_KG = 15.0

# A character file is text that a person can read: metres, kilograms, degrees, one [[segment]] after the other.
human = poise.load_character("human")
chest = human.segments[human.index("chest")]
text = to_toml(human).replace('name = "human"', 'name = "carrier"', 1)
text = text.replace(f"mass = {chest.mass:.6g}", f"mass = {chest.mass + BAG_KG:.6g}", 1)
(OUT / "carrier.toml").write_text(text, encoding="utf-8")

carrier = poise.load_character(OUT / "carrier.toml")
save_mjcf(carrier, OUT / "carrier.xml")  # the same body for MuJoCo's own tools
print(f"{human.name} weighs {human.mass:.1f} kg, {carrier.name} {carrier.mass:.1f} kg")

# On the command line: poise simulate squat --character out/carrier.toml
torque = {}
for character in (human, carrier):
    take = poise.simulate("squat", character=character)
    torque[character.name] = take.joint_torque.mean()
    print(f"{character.name}: sum of joint torques {torque[character.name]:.0f} Nm on average")

assert abs(carrier.mass - human.mass - BAG_KG) < 1e-3
assert torque["carrier"] > torque["human"], "the bag must be carried"
