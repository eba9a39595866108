"""A headless Chromium that opens a page and takes pictures of it, by the protocol of its developer tools."""

from __future__ import annotations

import base64
import io
import json
import shutil
import subprocess
import time
import urllib.request
from contextlib import contextmanager

import numpy as np
from PIL import Image

FLAGS = (
    "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1200,800",
    "--remote-debugging-port=0",
)  # fmt: skip


def find_chromium():
    """The program, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for path in map(shutil.which, names) if path), None)


@contextmanager
def opened(url, folder):
    """A function that takes a picture (height, width, 3) of the page at `url`."""
    from websockets.sync.client import connect

    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    browser = subprocess.Popen([find_chromium(), *FLAGS, f"--user-data-dir={folder}", url], **silent)
    try:
        with connect(_address(folder, url), max_size=None) as tools:
            yield lambda: _picture(tools)
    finally:
        browser.terminate()
        browser.wait(30)


def _address(folder, url, patience=30.0):
    """Of the page's developer tools; the browser writes the port into a file when it is ready."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        time.sleep(0.2)
        note = folder / "DevToolsActivePort"
        if note.exists() and note.read_text().strip():
            with urllib.request.urlopen(f"http://127.0.0.1:{note.read_text().split()[0]}/json", timeout=10) as answer:
                pages = [page for page in json.load(answer) if page["url"].startswith(url)]
            if pages:
                return pages[0]["webSocketDebuggerUrl"]
    raise TimeoutError("the browser does not start")


def _picture(tools):
    tools.send(json.dumps({"id": 1, "method": "Page.captureScreenshot"}))
    while "result" not in (message := json.loads(tools.recv(60))):
        pass
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(message["result"]["data"]))).convert("RGB"))
