"""A character from an artist's rig: skeleton, skin and mesh of a glTF file."""
