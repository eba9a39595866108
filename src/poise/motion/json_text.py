"""JSON from files that may hold anything: bounded, finite numbers only, and mistakes with their line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from poise.errors import BadFile


def parse_json(path: Path, text: bytes) -> dict[str, Any]:
    """The JSON object in a text; a file that holds none is a BadFile."""
    try:
        content = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise BadFile(path, f"is not JSON: {error.msg.lower()}; get the file again", error.lineno) from None
    except (ValueError, RecursionError) as error:
        problem = str(error) if isinstance(error, _NotFinite) else "holds bytes, numbers or nesting that no such file needs"
        raise BadFile(path, f"{problem}; get the file again") from None
    if not isinstance(content, dict):
        raise BadFile(path, f"holds a JSON {type(content).__name__}, expected an object {{…}}; is it another format?")
    return content


class _NotFinite(ValueError):
    pass


def _refuse(constant: str) -> float:
    raise _NotFinite(f"holds '{constant}', not a finite number")
