"""Whether quiet standing withstands what the project promises: the largest pushes, setting by setting, against their targets.

    python benchmarks/push_limits.py [--dt 0.002] [--settings 0,0.2,0.4,0.5,0.6,0.8,1] [--directions 4] [--jobs N]

Prints one JSON line per setting of the dial: impulses (Ns) by direction, their mean, the target where there is one, and what
ends the character just above each limit. The last line says whether the targets are met and the means rise with the dial.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import pairwise

from poise.robustness.survey import survey

TARGETS = {0.0: 20.0, 0.5: 65.0, 1.0: 230.0}  # Ns, mean over four directions: realistic, plausible, superhuman


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--settings", default="0,0.2,0.4,0.5,0.6,0.8,1")
    parser.add_argument("--directions", type=int, default=4)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    dial = sorted(float(word) for word in options.settings.split(","))
    began = time.perf_counter()
    found = survey(settings=dial, directions=options.directions, dt=options.dt, jobs=options.jobs).to_dict()["settings"]
    for setting in found:
        print(json.dumps(setting | {"target_ns": TARGETS.get(setting["robustness"])}, ensure_ascii=False))
    means = {setting["robustness"]: setting["mean_ns"] for setting in found}
    verdict = {
        "targets_met": all(means[k] >= target for k, target in TARGETS.items() if k in means),
        "rising": all(means[low] < means[high] for low, high in pairwise(dial)),
        "dt_s": options.dt,
        "seconds": round(time.perf_counter() - began, 1),
    }
    print(json.dumps(verdict))


if __name__ == "__main__":
    main()
