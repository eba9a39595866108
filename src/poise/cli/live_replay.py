"""`poise live replay CLIP`: sends a clip as an actor's stream."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from poise.cli.clip_options import numeric
from poise.cli.studio import port_number

FORMATS = ("axis-neuron", "vmc")
LOOPBACK = "127.0.0.1"
PORTS = {("axis-neuron", False): 7002, ("axis-neuron", True): 7001, ("vmc", False): 39539}  # by format and whether it is TCP


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser("replay", help="send a clip as a live stream", allow_abbrev=False)
    parser.set_defaults(run=run)
    parser.add_argument("clip", metavar="CLIP", help="a motion file, or the name of a built-in clip")
    parser.add_argument("--as", dest="format", choices=FORMATS, default="axis-neuron", help="default: axis-neuron")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--binary", action="store_true", help="axis-neuron: the binary form (the default)")
    form.add_argument("--text", action="store_true", help="axis-neuron: the string form")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--udp", action="store_true", help="send datagrams (the default)")
    way.add_argument("--tcp", action="store_true", help="axis-neuron: serve whoever connects")
    parser.add_argument("--no-displacement", action="store_true", help="axis-neuron: rotations only, as a setting of it does")
    parser.add_argument("--host", default=LOOPBACK, metavar="ADDRESS", help="where to send, or to serve (default: this machine)")
    parser.add_argument("--port", type=port_number, metavar="N", help="default: 7002 (UDP), 7001 (TCP), vmc 39539")
    parser.add_argument("--fps", type=numeric("fps", 1, 1000), default=120.0, metavar="N", help="frames per second (120)")
    parser.add_argument("--duration", type=numeric("duration", 0, 36000, above=True), metavar="S", help="repeats it so long")


def run(args: argparse.Namespace) -> int:
    """Sends until the clip ends or Ctrl-C."""
    from poise.errors import BadInput
    from poise.live import replay
    from poise.live.sender import TcpSender, UdpSender, send

    if args.format == "vmc" and (args.tcp or args.text or args.binary or args.no_displacement):
        raise BadInput("--tcp, --text, --binary and --no-displacement are for axis-neuron; vmc is OSC over UDP")
    port = PORTS[args.format, args.tcp] if args.port is None else args.port
    if args.format == "vmc":
        motion = replay.vmc_motion(args.clip, args.fps, args.duration)
        frame = replay.vmc_frames(motion)
    else:
        motion = replay.axis_neuron_motion(args.clip, args.fps, args.duration)
        frame = (replay.text_frames if args.text else replay.binary_frames)(motion, not args.no_displacement)
    sender = TcpSender(args.host, port) if args.tcp else UdpSender(args.host, port)
    way = "TCP" if args.tcp else "UDP"
    print(f"replay: {motion.nframes} frames at {motion.fps:g} frames/s to {args.host}:{sender.port} ({way})", file=sys.stderr)
    try:
        send(sender, frame, motion.nframes, motion.fps)
    finally:
        sender.close()
    return 0
