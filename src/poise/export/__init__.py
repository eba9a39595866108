"""A take as animation: BVH, glTF, video."""
