"""Human skeletons under the joint names of common tools, each written as a few chains.

`Hips@pelvis=pelvis > Spine@waist` is a joint named Hips at the place 'pelvis' whose role is pelvis, and its child Spine.
A chain goes on from joints that are there already. {Left|Right} writes a joint once for each side.
"""

from __future__ import annotations

import re

import numpy as np

from poise.motion.skeleton import Skeleton

Places = dict[str, tuple[float, float, float]]

# A standing human of 1.78 m that faces +x, left is +y; arms of a T-pose. Metres.
PLACES = {
    "floor": (0.0, 0.0, 0.0),
    "pelvis": (0.0, 0.0, 1.0),
    "hip": (0.0, 0.09, 0.93),
    "buttock": (-0.02, 0.09, 0.97),
    "mid_thigh": (0.005, 0.09, 0.73),
    "knee": (0.01, 0.09, 0.51),
    "mid_shin": (0.0, 0.09, 0.30),
    "ankle": (-0.01, 0.09, 0.08),
    "ball": (0.12, 0.09, 0.02),
    "toe_tip": (0.19, 0.09, 0.01),
    "heel": (-0.05, 0.09, 0.02),
    "knee_front": (0.5, 0.09, 0.51),
    "waist": (-0.01, 0.0, 1.08),
    "belly": (-0.01, 0.0, 1.16),
    "ribs": (-0.02, 0.0, 1.26),
    "chest": (-0.02, 0.0, 1.36),
    "neck": (-0.01, 0.0, 1.48),
    "mid_neck": (0.0, 0.0, 1.53),
    "head": (0.01, 0.0, 1.58),
    "head_top": (0.01, 0.0, 1.78),
    "eye": (0.09, 0.03, 1.66),
    "jaw": (0.05, 0.0, 1.60),
    "collar": (0.0, 0.03, 1.42),
    "shoulder": (-0.02, 0.18, 1.43),
    "mid_arm": (-0.02, 0.31, 1.43),
    "elbow": (-0.02, 0.46, 1.43),
    "mid_forearm": (-0.02, 0.58, 1.43),
    "wrist": (-0.02, 0.71, 1.43),
    "knuckle": (-0.02, 0.80, 1.43),
    "fingertip": (-0.02, 0.88, 1.42),
    "thumb": (0.02, 0.74, 1.42),
    "thumb_tip": (0.04, 0.79, 1.41),
    "breast": (0.08, 0.08, 1.3),
    "skirt": (0.12, 0.12, 0.95),
    "skirt_hem": (0.2, 0.2, 0.6),
    "hair": (-0.12, 0.0, 1.55),
    "hair_tip": (-0.14, 0.0, 1.3),
    "tail_root": (-0.1, 0.0, 0.98),
    "tail_middle": (-0.4, 0.0, 0.9),
    "tail_tip": (-0.7, 0.0, 0.8),
}
# A dog that faces +x: shoulder height 0.6 m.
DOG_PLACES = {
    "floor": (0.0, 0.0, 0.0),
    "pelvis": (0.0, 0.0, 0.58),
    "hip": (-0.02, 0.07, 0.52),
    "knee": (0.06, 0.08, 0.35),
    "ankle": (-0.1, 0.08, 0.16),
    "ball": (-0.06, 0.08, 0.03),
    "belly": (0.2, 0.0, 0.6),
    "chest": (0.4, 0.0, 0.6),
    "shoulder": (0.42, 0.07, 0.5),
    "elbow": (0.36, 0.08, 0.33),
    "wrist": (0.42, 0.08, 0.1),
    "knuckle": (0.45, 0.08, 0.02),
    "neck": (0.5, 0.0, 0.66),
    "head": (0.6, 0.0, 0.78),
    "tail_root": (-0.08, 0.0, 0.6),
    "tail_middle": (-0.25, 0.0, 0.66),
    "tail_tip": (-0.4, 0.0, 0.8),
}
ARM_PLACES = ("mid_arm", "elbow", "mid_forearm", "wrist", "knuckle", "fingertip", "thumb", "thumb_tip")

CONVENTIONS = {
    "CMU": """
        Hips@pelvis=pelvis > LowerBack@pelvis > Spine@belly > Spine1@chest=chest > Neck@chest=neck > Neck1@neck > Head@head=head
        Hips > {L|R}HipJoint@pelvis > {Left|Right}UpLeg@hip=thigh > {Left|Right}Leg@knee=shin > {Left|Right}Foot@ankle=foot
        {Left|Right}Foot > {Left|Right}ToeBase@ball=toe
        Spine1 > {Left|Right}Shoulder@chest=clavicle > {Left|Right}Arm@shoulder=upper_arm > {Left|Right}ForeArm@elbow=forearm
        {Left|Right}ForeArm > {Left|Right}Hand@wrist=hand > {Left|Right}FingerBase@wrist > {Left|Right}HandIndex1@knuckle
        {Left|Right}Hand > {L|R}Thumb@wrist""",
    "ASF": """
        root@pelvis=pelvis > lowerback@pelvis > upperback@belly > thorax@chest=chest > lowerneck@neck=neck
        lowerneck > upperneck@mid_neck > head@head=head
        root > {l|r}hipjoint@pelvis > {l|r}femur@hip=thigh > {l|r}tibia@knee=shin > {l|r}foot@ankle=foot > {l|r}toes@ball=toe
        thorax > {l|r}clavicle@chest=clavicle > {l|r}humerus@shoulder=upper_arm > {l|r}radius@elbow=forearm
        {l|r}radius > {l|r}wrist@mid_forearm > {l|r}hand@wrist=hand > {l|r}fingers@knuckle
        {l|r}wrist > {l|r}thumb@wrist""",
    "Mixamo": """
        mixamorig:Hips@pelvis=pelvis > mixamorig:Spine@waist > mixamorig:Spine1@belly > mixamorig:Spine2@ribs=chest
        mixamorig:Spine2 > mixamorig:Neck@neck=neck > mixamorig:Head@head=head > mixamorig:HeadTop_End@head_top
        mixamorig:Hips > mixamorig:{Left|Right}UpLeg@hip=thigh > mixamorig:{Left|Right}Leg@knee=shin
        mixamorig:{Left|Right}Leg > mixamorig:{Left|Right}Foot@ankle=foot > mixamorig:{Left|Right}ToeBase@ball=toe
        mixamorig:{Left|Right}ToeBase > mixamorig:{Left|Right}Toe_End@toe_tip
        mixamorig:Spine2 > mixamorig:{Left|Right}Shoulder@collar=clavicle > mixamorig:{Left|Right}Arm@shoulder=upper_arm
        mixamorig:{Left|Right}Arm > mixamorig:{Left|Right}ForeArm@elbow=forearm > mixamorig:{Left|Right}Hand@wrist=hand
        mixamorig:{Left|Right}Hand > mixamorig:{Left|Right}HandThumb1@thumb > mixamorig:{Left|Right}HandThumb2@thumb_tip
        mixamorig:{Left|Right}Hand > mixamorig:{Left|Right}HandIndex1@knuckle > mixamorig:{Left|Right}HandIndex2@fingertip
        mixamorig:{Left|Right}Hand > mixamorig:{Left|Right}HandRing1@knuckle > mixamorig:{Left|Right}HandRing2@fingertip""",
    "Mixamo in Unity": """
        mixamorig1_Hips@pelvis=pelvis > mixamorig1_Spine@waist > mixamorig1_Spine1@belly > mixamorig1_Spine2@ribs=chest
        mixamorig1_Spine2 > mixamorig1_Neck@neck=neck > mixamorig1_Head@head=head
        mixamorig1_Hips > mixamorig1_{Left|Right}UpLeg@hip=thigh > mixamorig1_{Left|Right}Leg@knee=shin
        mixamorig1_{Left|Right}Leg > mixamorig1_{Left|Right}Foot@ankle=foot > mixamorig1_{Left|Right}ToeBase@ball=toe
        mixamorig1_Spine2 > mixamorig1_{Left|Right}Shoulder@collar=clavicle > mixamorig1_{Left|Right}Arm@shoulder=upper_arm
        mixamorig1_{Left|Right}Arm > mixamorig1_{Left|Right}ForeArm@elbow=forearm > mixamorig1_{Left|Right}Hand@wrist=hand""",
    "Axis Neuron": """
        Hips@pelvis=pelvis > Spine@waist > Spine1@belly > Spine2@ribs > Spine3@chest=chest > Neck@neck=neck > Head@head=head
        Hips > {Left|Right}UpLeg@hip=thigh > {Left|Right}Leg@knee=shin > {Left|Right}Foot@ankle=foot
        Spine3 > {Left|Right}Shoulder@collar=clavicle > {Left|Right}Arm@shoulder=upper_arm > {Left|Right}ForeArm@elbow=forearm
        {Left|Right}ForeArm > {Left|Right}Hand@wrist=hand > {Left|Right}HandThumb1@thumb > {Left|Right}HandThumb2@thumb_tip
        {Left|Right}Hand > {Left|Right}InHandIndex@wrist > {Left|Right}HandIndex1@knuckle > {Left|Right}HandIndex2@fingertip
        {Left|Right}Hand > {Left|Right}InHandRing@wrist > {Left|Right}HandRing1@knuckle > {Left|Right}HandRing2@fingertip""",
    "Xsens": """
        Pelvis@pelvis=pelvis > L5@waist > L3@belly > T12@ribs > T8@chest=chest > Neck@neck=neck > Head@head=head
        Pelvis > {Right|Left}UpperLeg@hip=thigh > {Right|Left}LowerLeg@knee=shin > {Right|Left}Foot@ankle=foot
        {Right|Left}Foot > {Right|Left}Toe@ball=toe
        T8 > {Right|Left}Shoulder@collar=clavicle > {Right|Left}UpperArm@shoulder=upper_arm > {Right|Left}ForeArm@elbow=forearm
        {Right|Left}ForeArm > {Right|Left}Hand@wrist=hand""",
    "Xsens BVH": """
        Hips@pelvis=pelvis > Chest@waist > Chest2@belly > Chest3@ribs > Chest4@chest=chest > Neck@neck=neck > Head@head=head
        Hips > {Right|Left}Hip@hip=thigh > {Right|Left}Knee@knee=shin > {Right|Left}Ankle@ankle=foot > {Right|Left}Toe@ball=toe
        Chest4 > {Right|Left}Collar@collar=clavicle > {Right|Left}Shoulder@shoulder=upper_arm > {Right|Left}Elbow@elbow=forearm
        {Right|Left}Elbow > {Right|Left}Wrist@wrist=hand""",
    "Rokoko": """
        hip@pelvis=pelvis > spine@waist > chest@ribs=chest > neck@neck=neck > head@head=head
        hip > {left|right}UpLeg@hip=thigh > {left|right}Leg@knee=shin > {left|right}Foot@ankle=foot > {left|right}Toe@ball=toe
        chest > {left|right}Shoulder@collar=clavicle > {left|right}Arm@shoulder=upper_arm > {left|right}ForeArm@elbow=forearm
        {left|right}ForeArm > {left|right}Hand@wrist=hand""",
    "MakeHuman": """
        root@pelvis=pelvis > spine05@pelvis > spine04@waist > spine03@belly > spine02@ribs > spine01@chest=chest
        spine01 > neck01@neck=neck > neck02@mid_neck > neck03@mid_neck > head@head=head > jaw@jaw
        head > eye.{L|R}@eye
        root > pelvis.{L|R}@pelvis > upperleg01.{L|R}@hip=thigh > upperleg02.{L|R}@mid_thigh > lowerleg01.{L|R}@knee=shin
        lowerleg01.{L|R} > lowerleg02.{L|R}@mid_shin > foot.{L|R}@ankle=foot > toe1-1.{L|R}@ball=toe > toe1-2.{L|R}@toe_tip
        spine01 > clavicle.{L|R}@chest=clavicle > shoulder01.{L|R}@collar > upperarm01.{L|R}@shoulder=upper_arm
        upperarm01.{L|R} > upperarm02.{L|R}@mid_arm > lowerarm01.{L|R}@elbow=forearm > lowerarm02.{L|R}@mid_forearm
        lowerarm02.{L|R} > wrist.{L|R}@wrist=hand > finger1-1.{L|R}@thumb > finger1-2.{L|R}@thumb_tip
        wrist.{L|R} > metacarpal1.{L|R}@wrist > finger2-1.{L|R}@knuckle > finger2-2.{L|R}@fingertip
        spine02 > breast.{L|R}@breast""",
    "MakeHuman with connecting bones": """
        Root@pelvis=pelvis > Spine1@waist > Spine2@belly > Spine3@ribs=chest > Neck@neck=neck > Head@head=head > __Jaw@head
        __Jaw > Jaw@jaw
        Head > __Eye_{L|R}@head_top > Eye_{L|R}@eye
        Root > Hips@waist > __UpLeg_{L|R}@pelvis > UpLeg_{L|R}@hip=thigh > LoLeg_{L|R}@knee=shin > Foot_{L|R}@ankle=foot
        Foot_{L|R} > Toe_{L|R}@ball=toe
        Spine3 > __Clavicle_{L|R}@neck > Clavicle_{L|R}@collar=clavicle > UpArm_{L|R}@shoulder=upper_arm
        UpArm_{L|R} > LoArm_{L|R}@elbow=forearm > Hand_{L|R}@wrist=hand > __Thumb1_{L|R}@wrist > Thumb1_{L|R}@thumb
        Hand_{L|R} > Middle1_{L|R}@knuckle > Middle2_{L|R}@fingertip""",
    "Bandai Namco": """
        joint_Root@floor > Hips@pelvis=pelvis > Spine@waist > Chest@ribs=chest > Neck@neck=neck > Head@head=head
        Hips > UpperLeg_{L|R}@hip=thigh > LowerLeg_{L|R}@knee=shin > Foot_{L|R}@ankle=foot > Toes_{L|R}@ball=toe
        Chest > Shoulder_{L|R}@collar=clavicle > UpperArm_{L|R}@shoulder=upper_arm > LowerArm_{L|R}@elbow=forearm
        LowerArm_{L|R} > Hand_{L|R}@wrist=hand""",
    "Poser": """
        hip@pelvis=pelvis > abdomen@waist > chest@ribs=chest > neck@neck=neck > head@head=head > {left|right}Eye@eye
        hip > {r|l}Buttock@buttock > {r|l}Thigh@hip=thigh > {r|l}Shin@knee=shin > {r|l}Foot@ankle=foot
        chest > {r|l}Collar@collar=clavicle > {r|l}Shldr@shoulder=upper_arm > {r|l}ForeArm@elbow=forearm > {r|l}Hand@wrist=hand
        {r|l}Hand > {r|l}Thumb1@thumb > {r|l}Thumb2@thumb_tip
        {r|l}Hand > {r|l}Mid1@knuckle > {r|l}Mid2@fingertip""",
    "Daz Genesis 8": """
        hip@pelvis=pelvis > abdomenLower@waist > abdomenUpper@belly > chestLower@ribs > chestUpper@chest=chest
        chestUpper > neckLower@neck=neck > neckUpper@mid_neck > head@head=head > lowerJaw@jaw
        hip > pelvis@pelvis > {l|r}ThighBend@hip=thigh > {l|r}ThighTwist@mid_thigh > {l|r}Shin@knee=shin
        {l|r}Shin > {l|r}Foot@ankle=foot > {l|r}Metatarsals@ankle > {l|r}Toe@ball=toe > {l|r}BigToe@toe_tip
        chestUpper > {l|r}Collar@collar=clavicle > {l|r}ShldrBend@shoulder=upper_arm > {l|r}ShldrTwist@mid_arm
        {l|r}ShldrTwist > {l|r}ForearmBend@elbow=forearm > {l|r}ForearmTwist@mid_forearm > {l|r}Hand@wrist=hand
        {l|r}Hand > {l|r}Carpal1@wrist > {l|r}Index1@knuckle > {l|r}Index2@fingertip
        chestLower > {l|r}Pectoral@breast""",
    "Daz Genesis 9": """
        hip@pelvis=pelvis > spine1@waist > spine2@belly > spine3@ribs > spine4@chest=chest > neck1@neck=neck > neck2@mid_neck
        neck2 > head@head=head
        hip > pelvis@pelvis > {l|r}_thigh@hip=thigh > {l|r}_thightwist1@mid_thigh
        {l|r}_thigh > {l|r}_shin@knee=shin > {l|r}_foot@ankle=foot > {l|r}_toes@ball=toe
        spine4 > {l|r}_shoulder@collar=clavicle > {l|r}_upperarm@shoulder=upper_arm > {l|r}_forearm@elbow=forearm
        {l|r}_forearm > {l|r}_hand@wrist=hand > {l|r}_index1@knuckle""",
    "VRM": """
        Root@floor > J_Bip_C_Hips@pelvis=pelvis > J_Bip_C_Spine@waist > J_Bip_C_Chest@belly > J_Bip_C_UpperChest@chest=chest
        J_Bip_C_UpperChest > J_Bip_C_Neck@neck=neck > J_Bip_C_Head@head=head > J_Sec_Hair1_01@hair > J_Sec_Hair2_01@hair_tip
        J_Bip_C_Head > J_Adj_{L|R}_FaceEye@eye
        J_Bip_C_Hips > J_Bip_{L|R}_UpperLeg@hip=thigh > J_Bip_{L|R}_LowerLeg@knee=shin > J_Bip_{L|R}_Foot@ankle=foot
        J_Bip_{L|R}_Foot > J_Bip_{L|R}_ToeBase@ball=toe
        J_Bip_C_Hips > J_Sec_{L|R}_SkirtFront0_01@skirt > J_Sec_{L|R}_SkirtFront1_01@skirt_hem
        J_Bip_C_UpperChest > J_Sec_{L|R}_Bust1@breast
        J_Bip_C_UpperChest > J_Bip_{L|R}_Shoulder@collar=clavicle > J_Bip_{L|R}_UpperArm@shoulder=upper_arm
        J_Bip_{L|R}_UpperArm > J_Bip_{L|R}_LowerArm@elbow=forearm > J_Bip_{L|R}_Hand@wrist=hand > J_Bip_{L|R}_Little1@knuckle""",
    "Unity": """
        hips@pelvis=pelvis > spine@waist > chest@belly > upperChest@chest=chest > neck@neck=neck > head@head=head > jaw@jaw
        hips > {left|right}UpperLeg@hip=thigh > {left|right}LowerLeg@knee=shin > {left|right}Foot@ankle=foot
        {left|right}Foot > {left|right}Toes@ball=toe
        upperChest > {left|right}Shoulder@collar=clavicle > {left|right}UpperArm@shoulder=upper_arm
        {left|right}UpperArm > {left|right}LowerArm@elbow=forearm > {left|right}Hand@wrist=hand
        {left|right}Hand > {left|right}ThumbProximal@thumb > {left|right}ThumbDistal@thumb_tip
        {left|right}Hand > {left|right}MiddleProximal@knuckle > {left|right}MiddleDistal@fingertip""",
    "Unreal": """
        root@floor > pelvis@pelvis=pelvis > spine_01@waist > spine_02@belly > spine_03@chest=chest > neck_01@neck=neck
        neck_01 > head@head=head
        root > ik_foot_root@floor > ik_foot_{l|r}@ankle
        root > ik_hand_root@floor > ik_hand_gun@wrist > ik_hand_{l|r}@wrist
        pelvis > thigh_{l|r}@hip=thigh > thigh_twist_01_{l|r}@mid_thigh
        thigh_{l|r} > calf_{l|r}@knee=shin > calf_twist_01_{l|r}@mid_shin
        calf_{l|r} > foot_{l|r}@ankle=foot > ball_{l|r}@ball=toe
        spine_03 > clavicle_{l|r}@collar=clavicle > upperarm_{l|r}@shoulder=upper_arm > upperarm_twist_01_{l|r}@mid_arm
        upperarm_{l|r} > lowerarm_{l|r}@elbow=forearm > lowerarm_twist_01_{l|r}@mid_forearm
        lowerarm_{l|r} > hand_{l|r}@wrist=hand > index_01_{l|r}@knuckle > index_02_{l|r}@fingertip
        hand_{l|r} > thumb_01_{l|r}@thumb > thumb_02_{l|r}@thumb_tip""",
    "3ds Max Biped": """
        Bip01@pelvis > Bip01 Pelvis@pelvis=pelvis > Bip01 Spine@waist > Bip01 Spine1@belly > Bip01 Spine2@chest=chest
        Bip01 Spine2 > Bip01 Neck@neck=neck > Bip01 Head@head=head > Bip01 HeadNub@head_top
        Bip01 Pelvis > Bip01 {L|R} Thigh@hip=thigh > Bip01 {L|R} Calf@knee=shin > Bip01 {L|R} Foot@ankle=foot
        Bip01 {L|R} Foot > Bip01 {L|R} Toe0@ball=toe > Bip01 {L|R} Toe0Nub@toe_tip
        Bip01 Neck > Bip01 {L|R} Clavicle@collar=clavicle > Bip01 {L|R} UpperArm@shoulder=upper_arm
        Bip01 {L|R} UpperArm > Bip01 {L|R} Forearm@elbow=forearm > Bip01 {L|R} Hand@wrist=hand > Bip01 {L|R} Finger0@thumb
        Bip01 {L|R} Hand > Bip01 {L|R} Finger1@knuckle > Bip01 {L|R} Finger11@fingertip""",
    "Source engine": """
        ValveBiped.Bip01_Pelvis@pelvis=pelvis > ValveBiped.Bip01_Spine@waist > ValveBiped.Bip01_Spine1@belly
        ValveBiped.Bip01_Spine1 > ValveBiped.Bip01_Spine4@chest=chest > ValveBiped.Bip01_Neck1@neck=neck
        ValveBiped.Bip01_Neck1 > ValveBiped.Bip01_Head1@head=head
        ValveBiped.Bip01_Pelvis > ValveBiped.Bip01_{L|R}_Thigh@hip=thigh > ValveBiped.Bip01_{L|R}_Calf@knee=shin
        ValveBiped.Bip01_{L|R}_Calf > ValveBiped.Bip01_{L|R}_Foot@ankle=foot > ValveBiped.Bip01_{L|R}_Toe0@ball=toe
        ValveBiped.Bip01_Spine4 > ValveBiped.Bip01_{L|R}_Clavicle@collar=clavicle
        ValveBiped.Bip01_{L|R}_Clavicle > ValveBiped.Bip01_{L|R}_UpperArm@shoulder=upper_arm
        ValveBiped.Bip01_{L|R}_UpperArm > ValveBiped.Bip01_{L|R}_Forearm@elbow=forearm
        ValveBiped.Bip01_{L|R}_Forearm > ValveBiped.Bip01_{L|R}_Hand@wrist=hand""",
    "Rigify": """
        root@floor > DEF-spine@pelvis=pelvis > DEF-spine.001@waist > DEF-spine.002@belly > DEF-spine.003@chest=chest
        DEF-spine.003 > DEF-spine.004@neck=neck > DEF-spine.005@mid_neck > DEF-spine.006@head=head
        DEF-spine > DEF-pelvis.{L|R}@pelvis
        DEF-spine > DEF-thigh.{L|R}@hip=thigh > DEF-thigh.{L|R}.001@mid_thigh > DEF-shin.{L|R}@knee=shin
        DEF-shin.{L|R} > DEF-shin.{L|R}.001@mid_shin > DEF-foot.{L|R}@ankle=foot > DEF-toe.{L|R}@ball=toe
        DEF-spine.003 > DEF-shoulder.{L|R}@collar=clavicle > DEF-upper_arm.{L|R}@shoulder=upper_arm
        DEF-upper_arm.{L|R} > DEF-upper_arm.{L|R}.001@mid_arm > DEF-forearm.{L|R}@elbow=forearm
        DEF-forearm.{L|R} > DEF-forearm.{L|R}.001@mid_forearm > DEF-hand.{L|R}@wrist=hand
        DEF-hand.{L|R} > DEF-f_index.01.{L|R}@knuckle > DEF-f_index.02.{L|R}@fingertip
        DEF-hand.{L|R} > DEF-thumb.01.{L|R}@thumb > DEF-thumb.02.{L|R}@thumb_tip
        DEF-spine.003 > DEF-breast.{L|R}@breast""",
    "OptiTrack Motive": """
        Skeleton 001_Hip@pelvis=pelvis > Skeleton 001_Ab@waist > Skeleton 001_Chest@ribs=chest > Skeleton 001_Neck@neck=neck
        Skeleton 001_Neck > Skeleton 001_Head@head=head
        Skeleton 001_Hip > Skeleton 001_{L|R}Thigh@hip=thigh > Skeleton 001_{L|R}Shin@knee=shin
        Skeleton 001_{L|R}Shin > Skeleton 001_{L|R}Foot@ankle=foot > Skeleton 001_{L|R}Toe@ball=toe
        Skeleton 001_Chest > Skeleton 001_{L|R}Shoulder@collar=clavicle > Skeleton 001_{L|R}UArm@shoulder=upper_arm
        Skeleton 001_{L|R}UArm > Skeleton 001_{L|R}FArm@elbow=forearm > Skeleton 001_{L|R}Hand@wrist=hand""",
    "OptiTrack Arena": """
        Hips@pelvis=pelvis > Chest@ribs=chest > Neck@neck=neck > Head@head=head
        Hips > {Left|Right}Hip@hip=thigh > {Left|Right}Knee@knee=shin > {Left|Right}Ankle@ankle=foot
        Chest > {Left|Right}Collar@neck=clavicle > {Left|Right}Shoulder@shoulder=upper_arm > {Left|Right}Elbow@elbow=forearm
        {Left|Right}Elbow > {Left|Right}Wrist@wrist=hand""",
    "SMPL": """
        Pelvis@pelvis=pelvis > Spine1@waist > Spine2@belly > Spine3@ribs=chest > Neck@neck=neck > Head@head=head
        Pelvis > {L|R}_Hip@hip=thigh > {L|R}_Knee@knee=shin > {L|R}_Ankle@ankle=foot > {L|R}_Foot@ball=toe
        Spine3 > {L|R}_Collar@collar=clavicle > {L|R}_Shoulder@shoulder=upper_arm > {L|R}_Elbow@elbow=forearm
        {L|R}_Elbow > {L|R}_Wrist@wrist=hand > {L|R}_Hand@knuckle""",
    "SMPL-X": """
        pelvis@pelvis=pelvis > spine1@waist > spine2@belly > spine3@ribs=chest > neck@neck=neck > head@head=head > jaw@jaw
        head > {left|right}_eye_smplhf@eye
        pelvis > {left|right}_hip@hip=thigh > {left|right}_knee@knee=shin > {left|right}_ankle@ankle=foot
        {left|right}_ankle > {left|right}_foot@ball=toe
        spine3 > {left|right}_collar@collar=clavicle > {left|right}_shoulder@shoulder=upper_arm > {left|right}_elbow@elbow=forearm
        {left|right}_elbow > {left|right}_wrist@wrist=hand > {left|right}_index1@knuckle > {left|right}_index2@fingertip""",
    "Human3.6M": """
        Hip@pelvis=pelvis > Spine@belly > Thorax@neck=chest > Neck@mid_neck=neck > Head@head=head
        Hip > {R|L}Hip@hip=thigh > {R|L}Knee@knee=shin > {R|L}Ankle@ankle=foot
        Thorax > {L|R}Shoulder@shoulder=upper_arm > {L|R}Elbow@elbow=forearm > {L|R}Wrist@wrist=hand""",
    "Azure Kinect": """
        PELVIS@pelvis=pelvis > SPINE_NAVAL@belly > SPINE_CHEST@ribs=chest > NECK@neck=neck > HEAD@head=head > NOSE@jaw
        PELVIS > HIP_{LEFT|RIGHT}@hip=thigh > KNEE_{LEFT|RIGHT}@knee=shin > ANKLE_{LEFT|RIGHT}@ankle=foot
        ANKLE_{LEFT|RIGHT} > FOOT_{LEFT|RIGHT}@ball=toe
        SPINE_CHEST > CLAVICLE_{LEFT|RIGHT}@collar=clavicle > SHOULDER_{LEFT|RIGHT}@shoulder=upper_arm
        SHOULDER_{LEFT|RIGHT} > ELBOW_{LEFT|RIGHT}@elbow=forearm > WRIST_{LEFT|RIGHT}@wrist=hand > HAND_{LEFT|RIGHT}@knuckle
        WRIST_{LEFT|RIGHT} > THUMB_{LEFT|RIGHT}@thumb""",
    "Advanced Skeleton": """
        Root_M@pelvis=pelvis > Spine1_M@waist > Spine2_M@belly > Chest_M@chest=chest > Neck_M@neck=neck > Head_M@head=head
        Root_M > Hip_{R|L}@hip=thigh > HipPart1_{R|L}@mid_thigh > Knee_{R|L}@knee=shin > Ankle_{R|L}@ankle=foot
        Ankle_{R|L} > Toes_{R|L}@ball=toe > ToesEnd_{R|L}@toe_tip
        Chest_M > Scapula_{R|L}@collar=clavicle > Shoulder_{R|L}@shoulder=upper_arm > ShoulderPart1_{R|L}@mid_arm
        ShoulderPart1_{R|L} > Elbow_{R|L}@elbow=forearm > Wrist_{R|L}@wrist=hand > MiddleFinger1_{R|L}@knuckle""",
    "Auto-Rig Pro": """
        root.x@pelvis=pelvis > spine_01.x@waist > spine_02.x@ribs=chest > neck.x@neck=neck > head.x@head=head
        root.x > thigh_stretch.{l|r}@hip=thigh > thigh_twist.{l|r}@mid_thigh
        thigh_stretch.{l|r} > leg_stretch.{l|r}@knee=shin > foot.{l|r}@ankle=foot > toes_01.{l|r}@ball=toe
        spine_02.x > shoulder.{l|r}@collar=clavicle > arm_stretch.{l|r}@shoulder=upper_arm
        arm_stretch.{l|r} > forearm_stretch.{l|r}@elbow=forearm > hand.{l|r}@wrist=hand > c_index1.{l|r}@knuckle""",
    "Character Creator": """
        CC_Base_BoneRoot@floor > CC_Base_Hip@pelvis=pelvis > CC_Base_Waist@waist > CC_Base_Spine01@belly
        CC_Base_Spine01 > CC_Base_Spine02@chest=chest > CC_Base_NeckTwist01@neck=neck > CC_Base_NeckTwist02@mid_neck
        CC_Base_NeckTwist02 > CC_Base_Head@head=head
        CC_Base_Hip > CC_Base_Pelvis@pelvis > CC_Base_{L|R}_Thigh@hip=thigh > CC_Base_{L|R}_ThighTwist01@mid_thigh
        CC_Base_{L|R}_Thigh > CC_Base_{L|R}_Calf@knee=shin > CC_Base_{L|R}_Foot@ankle=foot > CC_Base_{L|R}_ToeBase@ball=toe
        CC_Base_Spine02 > CC_Base_{L|R}_Clavicle@collar=clavicle > CC_Base_{L|R}_Upperarm@shoulder=upper_arm
        CC_Base_{L|R}_Upperarm > CC_Base_{L|R}_Forearm@elbow=forearm > CC_Base_{L|R}_Hand@wrist=hand
        CC_Base_{L|R}_Upperarm > CC_Base_{L|R}_UpperarmTwist01@mid_arm""",
    "MikuMikuDance": """
        全ての親@floor > センター@pelvis=pelvis > 上半身@waist > 上半身2@ribs=chest > 首@neck=neck > 頭@head=head
        全ての親 > {左|右}足ＩＫ@ankle
        センター > 下半身@waist > {左|右}足@hip=thigh > {左|右}ひざ@knee=shin > {左|右}足首@ankle=foot > {左|右}つま先@ball=toe
        上半身2 > {左|右}肩@collar=clavicle > {左|右}腕@shoulder=upper_arm > {左|右}腕捩@mid_arm > {左|右}ひじ@elbow=forearm
        {左|右}ひじ > {左|右}手捩@mid_forearm > {左|右}手首@wrist=hand > {左|右}人指１@knuckle > {左|右}人指２@fingertip""",
    "Roblox": """
        HumanoidRootPart@pelvis > LowerTorso@pelvis=pelvis > UpperTorso@belly=chest > Head@neck=head
        LowerTorso > {Left|Right}UpperLeg@hip=thigh > {Left|Right}LowerLeg@knee=shin > {Left|Right}Foot@ankle=foot
        UpperTorso > {Left|Right}UpperArm@shoulder=upper_arm > {Left|Right}LowerArm@elbow=forearm
        {Left|Right}LowerArm > {Left|Right}Hand@wrist=hand""",
    "Synty": """
        Root@floor > Hips@pelvis=pelvis > Spine_01@waist > Spine_02@belly > Spine_03@chest=chest > Neck@neck=neck > Head@head=head
        Hips > UpperLeg_{L|R}@hip=thigh > LowerLeg_{L|R}@knee=shin > Ankle_{L|R}@ankle=foot > Ball_{L|R}@ball=toe
        Ball_{L|R} > Toes_{L|R}@toe_tip
        Spine_03 > Clavicle_{L|R}@collar=clavicle > Shoulder_{L|R}@shoulder=upper_arm > Elbow_{L|R}@elbow=forearm
        Elbow_{L|R} > Hand_{L|R}@wrist=hand > IndexFinger_01_{L|R}@knuckle""",
    "Second Life": """
        mPelvis@pelvis=pelvis > mTorso@waist > mChest@ribs=chest > mNeck@neck=neck > mHead@head=head > mSkull@head_top
        mPelvis > mHip{Left|Right}@hip=thigh > mKnee{Left|Right}@knee=shin > mAnkle{Left|Right}@ankle=foot
        mAnkle{Left|Right} > mFoot{Left|Right}@ball > mToe{Left|Right}@toe_tip=toe
        mChest > mCollar{Left|Right}@collar=clavicle > mShoulder{Left|Right}@shoulder=upper_arm > mElbow{Left|Right}@elbow=forearm
        mElbow{Left|Right} > mWrist{Left|Right}@wrist=hand > mHandIndex1{Left|Right}@knuckle""",
    "DeepMimic": """
        root@pelvis=pelvis > chest@ribs=chest > neck@neck=head
        root > {right|left}_hip@hip=thigh > {right|left}_knee@knee=shin > {right|left}_ankle@ankle=foot
        chest > {right|left}_shoulder@shoulder=upper_arm > {right|left}_elbow@elbow=forearm > {right|left}_wrist@wrist=hand""",
    "HumanIK with a namespace": """
        Character1:Reference@floor > Character1:Hips@pelvis=pelvis > Character1:Spine@waist > Character1:Spine1@ribs=chest
        Character1:Spine1 > Character1:Neck@neck=neck > Character1:Head@head=head
        Character1:Hips > Character1:{Left|Right}UpLeg@hip=thigh > Character1:{Left|Right}UpLegRoll@mid_thigh
        Character1:{Left|Right}UpLeg > Character1:{Left|Right}Leg@knee=shin > Character1:{Left|Right}Foot@ankle=foot
        Character1:{Left|Right}Foot > Character1:{Left|Right}ToeBase@ball=toe
        Character1:Spine1 > Character1:{Left|Right}Shoulder@collar=clavicle > Character1:{Left|Right}Arm@shoulder=upper_arm
        Character1:{Left|Right}Arm > Character1:{Left|Right}ForeArm@elbow=forearm > Character1:{Left|Right}Hand@wrist=hand""",
    "Quaternius": """
        Armature|Root@floor > Armature|Hips@pelvis=pelvis > Armature|Abdomen@waist > Armature|Torso@ribs
        Armature|Torso > Armature|Chest@chest=chest
        Armature|Chest > Armature|Neck@neck=neck > Armature|Head@head=head
        Armature|Hips > Armature|UpperLeg.{L|R}@hip=thigh > Armature|LowerLeg.{L|R}@knee=shin > Armature|Foot.{L|R}@ankle=foot
        Armature|Chest > Armature|Shoulder.{L|R}@collar=clavicle > Armature|UpperArm.{L|R}@shoulder=upper_arm
        Armature|UpperArm.{L|R} > Armature|LowerArm.{L|R}@elbow=forearm > Armature|Hand.{L|R}@wrist=hand""",
    "legs and arms by number": """
        torso_joint_1@pelvis=pelvis > torso_joint_2@belly > torso_joint_3@chest=chest > neck_joint_1@neck=neck
        neck_joint_1 > neck_joint_2@head=head
        torso_joint_1 > leg_joint_{L|R}_1@hip=thigh > leg_joint_{L|R}_2@knee=shin > leg_joint_{L|R}_3@ankle=foot
        leg_joint_{L|R}_3 > leg_joint_{L|R}_5@ball=toe
        torso_joint_3 > arm_joint_{L|R}_4@shoulder=upper_arm > arm_joint_{L|R}_3@elbow=forearm > arm_joint_{L|R}_2@wrist=hand""",
}

_ITEM = re.compile(r"(?P<name>[^@=]+)(@(?P<place>\w+))?(=(?P<role>\w+))?")
_SIDES = re.compile(r"\{([^|]*)\|([^}]*)\}")


def build(text: str, arm_deg: float = 0.0, places: Places = PLACES) -> tuple[Skeleton, np.ndarray, dict[str, str]]:
    """Skeleton, joint positions and role -> name of a convention; arms hang down by so many degrees from a T-pose."""
    parent: dict[str, str | None] = {}
    position: dict[str, np.ndarray] = {}
    roles: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        for which in (0, 1):
            above = None
            for item in line.split(" > "):
                name, key, role, side = _read(item, which)
                if key and name not in parent:
                    parent[name], position[name] = above, place(key, side, arm_deg, places)
                    if role:
                        roles[f"{side}_{role}" if side else role] = name
                above = name
    return *_skeleton(parent, position), roles


def place(key: str, side: str | None, arm_deg: float, places: Places) -> np.ndarray:
    """A place on the body, on one side, with lowered arms."""
    x, y, z = places[key]
    if key in ARM_PLACES and arm_deg:
        _, y0, z0 = places["shoulder"]
        angle = np.radians(-arm_deg)
        y, z = y0 + (y - y0) * np.cos(angle) - (z - z0) * np.sin(angle), z0 + (y - y0) * np.sin(angle) + (z - z0) * np.cos(angle)
    return np.array([x, -y if side == "right" else y, z])


def _read(item: str, which: int) -> tuple[str, str | None, str | None, str | None]:
    """Name, place, role and side of one joint of a chain, for the first or the second of its sides."""
    sides = _SIDES.search(item)
    side = None if not sides else "left" if sides[which + 1].lower()[0] in "l左" else "right"
    match = _ITEM.fullmatch(_SIDES.sub(lambda m: m[which + 1], item))
    assert match, item
    return match["name"], match["place"], match["role"], side


def _skeleton(parent: dict[str, str | None], position: dict[str, np.ndarray]) -> tuple[Skeleton, np.ndarray]:
    """Joints in depth-first order."""
    order: list[str] = []

    def visit(name: str) -> None:
        order.append(name)
        for child in (c for c, p in parent.items() if p == name):
            visit(child)

    visit(next(iter(parent)))
    assert len(order) == len(parent)
    positions = np.array([position[name] for name in order])
    parents = tuple(-1 if (p := parent[name]) is None else order.index(p) for name in order)
    offsets = positions - np.where(np.array(parents)[:, None] >= 0, positions[list(parents)], 0.0)
    return Skeleton(tuple(order), parents, offsets), positions
