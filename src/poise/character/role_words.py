"""What the words in joint names mean: a table of body parts in the conventions of motion files and rigs.

A word may stand for several parts: 'shoulder' is the clavicle for Mixamo and the upper arm for SMPL, 'leg' the shin or
the thigh. Weights say how strongly (1 sure, 0 allowed but no evidence); the chain that the joint stands in decides.
"""

from __future__ import annotations

LEG = ("thigh", "shin", "foot", "toe")
ARM = ("clavicle", "upper_arm", "forearm", "hand")

# The part for which a word is the usual name. Words of several tokens are written together: UpperLeg, upper_leg -> upperleg.
_USUAL = {
    "thigh": "thigh upleg upperleg uleg legup legupper femur haunch",
    "shin": "shin calf lowleg loleg lowerleg leglow leglower tibia shank",
    "foot": "feet",
    "toe": "toe toes ball tiptoe",
    "clavicle": "clavicle clavicles clav collar collarbone scapula shoulderblade",
    "upper_arm": "uparm upperarm uarm armup armupper shldr humerus bicep",
    "forearm": "forearm farm lowarm loarm lowerarm armlow armlower radius ulna elbow",
    "pelvis": "hips pelvis cog lowertorso",
    "spine": "spine abdomen ab belly stomach waist torso trunk chest upperchest thorax ribs ribcage sternum back "
    "lowerback upperback lowerspine midspine middlespine upperspine uppertorso",
    "neck": "neck lowerneck upperneck",
    "head": "head skull",
    "tail": "tail",
    # MikuMikuDance
    "Thigh": "足",
    "Shin": "ひざ 膝",
    "Foot": "足首",
    "Toe": "つま先 足先",
    "Clavicle": "肩",
    "Upper_arm": "腕",
    "Forearm": "ひじ 肘",
    "Hand": "手首",
    "Pelvis": "センター 腰 下半身",
    "Spine": "上半身",
    "Neck": "首",
    "Head": "頭",
    "Tail": "尻尾 しっぽ",
}

_SEVERAL: dict[str, dict[str, float]] = {
    "leg": {"thigh": 0.6, "shin": 0.6, "foot": 0.0, "toe": 0.0},
    "hip": {"pelvis": 1.0, "thigh": 0.6},
    "buttock": {"thigh": 0.1},
    "knee": {"shin": 1.0},
    "ankle": {"foot": 1.1},  # above 'foot', which then is the toe: SMPL's ankle, foot
    "foot": {"foot": 1.0, "toe": 0.5},
    "paw": {"foot": 0.8, "hand": 0.8, "toe": 0.4},
    "shoulder": {"clavicle": 0.6, "upper_arm": 0.6},
    "shoulders": {"spine": 0.5, "clavicle": 0.5},
    "arm": {"clavicle": 0.2, "upper_arm": 0.6, "forearm": 0.3, "hand": 0.0},
    # Where a chain has both, the shape decides: SMPL's wrist is the joint of that name, ASF's is half of the forearm.
    "wrist": {"hand": 1.0},
    "hand": {"hand": 1.0},
    "palm": {"hand": 0.4},
    "body": {"pelvis": 0.5, "spine": 0.5},
    "wing": {"upper_arm": 0.3, "forearm": 0.3, "hand": 0.3},  # a bird's arms, unless there are better ones
}

PARTS: dict[str, dict[str, float]] = {
    **{word: {part.lower(): 1.0} for part, words in _USUAL.items() for word in words.split()},
    **_SEVERAL,
}

# Xsens names vertebrae; two of them would read as 'left 5', 'left 3'.
VERTEBRAE = frozenset({"l5", "l4", "l3", "l1", "t12", "t10", "t8", "t4", "t1"})

# Front legs are built like arms.
AS_FRONT_LIMB = {"thigh": "upper_arm", "shin": "forearm", "foot": "hand"}
FRONT = frozenset({"front", "fore"})

SIDES = {
    **dict.fromkeys(("left", "l", "lf", "lft", "lt"), "left"),
    **dict.fromkeys(("right", "r", "rt", "rgt", "rht"), "right"),
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that say nothing about the part.
FILLERS = _words(
    "joint jnt jt bone skeleton skel skl bind def org bip biped valve mixamorig rig character char armature cc base stretch "
    "bend part b c d j m x root upper lower up low middle mid"
)
ROOT_WORDS = _words("root center centre reference main")

# Joints that are no part of the moving body: fingers, face, cloth, handles of the authoring tool, chain ends.
OTHERS = _words(
    "thumb finger fingers index pinky pinkie metacarpal carpal knuckle "
    "eye eyes eyeball eyelid lid brow eyebrow jaw chin tongue lip lips mouth teeth nose cheek ear ears face "
    "hair bang ponytail pony pigtail hat skirt cloth cape coat sleeve belt bag strap weapon prop gun sword shield "
    "ik fk mch pole target tgt ctrl ctl control goal effector handle helper socket attach camera dummy end nub tip site "
    "breast breasts boob bust pec butt muscle corrective heel feather beak horn claw mane "
    "親指 人指 中指 薬指 小指 目 両目 髪 スカート 腕捩 手捩 胸"
)
# Fingers and twist bones when on one side; on the middle line they belong to the spine (spine_mid, NeckTwist01).
OTHERS_ON_A_SIDE = _words("mid middle ring little twist roll")
