"""Motion files: skeletons, clips, readers, writers and the tidying of what they hold."""
