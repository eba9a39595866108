"""An actor live: motion-capture streams in, the simulated character out. See docs/live.md."""
