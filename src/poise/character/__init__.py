"""Characters: segments with roles, boxes and masses, made from a skeleton or read from TOML."""
