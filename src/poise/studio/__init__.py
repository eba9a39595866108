"""The interactive page: a character that runs in real time, to be pushed, tuned and watched. See docs/studio.md."""
