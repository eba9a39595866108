"""The door of the page: only requests that come from the page itself, and from outside only those with the token, pass.

viser has no access control. So it listens on a port of its own that only this machine reaches, and the gate stands in front:
it reads the head of every HTTP or websocket request, checks it, and from then on only passes bytes. Other web sites that
the user has open cannot reach through: their Origin is another, and so is the Host of a name that was rebound to this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import secrets
import socket
import threading
from dataclasses import dataclass
from http import cookies
from urllib.parse import parse_qs, urlsplit

from poise.errors import BadInput

_COOKIE = "poise_studio"
_LONGEST_HEAD = 32 * 1024  # bytes
_PATIENCE = 10.0  # s for the head of a request
_LOCAL_NAMES = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True)
class Head:
    """The first line and the headers of a request."""

    method: str
    target: str
    headers: dict[str, str]  # names in lower case

    @staticmethod
    def parse(text: bytes) -> Head:
        """Raises ValueError where it is no HTTP."""
        first, *lines = text.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        pairs = (line.split(":", 1) for line in lines if line)
        return Head(method, target, {name.strip().lower(): value.strip() for name, value in pairs})

    @property
    def given_token(self) -> str:
        """The token in the address, if any."""
        return parse_qs(urlsplit(self.target).query).get("token", [""])[0]

    @property
    def kept_token(self) -> str:
        """The token in the cookie, if any."""
        jar = cookies.SimpleCookie()
        with contextlib.suppress(cookies.CookieError):
            jar.load(self.headers.get("cookie", ""))
        return jar[_COOKIE].value if _COOKIE in jar else ""


class Gate:
    """Listens at `host` and `port`, and passes what may pass to a port of this machine. Port 0 takes any free one."""

    def __init__(self, host: str, port: int) -> None:
        self.local = is_local(host)
        self.token = None if self.local else secrets.token_urlsafe(24)
        self._listener = _listen(host, port)
        self._host, self.port = host, self._listener.getsockname()[1]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address to open in a browser, with the token where one is needed."""
        host = socket.gethostname() if self._host in ("0.0.0.0", "::") else self._host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def open(self, inner_port: int) -> None:
        """Begins to let requests through to 127.0.0.1:`inner_port`."""
        ready, self._loop = threading.Event(), asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, args=(self._loop, inner_port, ready), name="poise gate", daemon=True)
        self._thread.start()
        ready.wait()

    def close(self) -> None:
        """Stops listening."""
        if self._thread and self._loop:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_PATIENCE)
        self._listener.close()

    def _serve(self, loop: asyncio.AbstractEventLoop, inner_port: int, ready: threading.Event) -> None:
        async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
                await self._admit(reader, writer, inner_port)
            writer.close()

        async def listen() -> None:
            await asyncio.start_server(visit, sock=self._listener, limit=_LONGEST_HEAD)
            ready.set()

        loop.run_until_complete(listen())
        loop.run_forever()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    async def _admit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, inner_port: int) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _PATIENCE)
        answer = self.answer(head)
        if answer is not None:
            writer.write(answer)
            await writer.drain()
            return
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", inner_port)
        inner_writer.write(head)
        there, back = asyncio.create_task(_pass(reader, inner_writer)), asyncio.create_task(_pass(inner_reader, writer))
        _, rest = await asyncio.wait((there, back), return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        inner_writer.close()

    def answer(self, text: bytes) -> bytes | None:
        """What the gate itself answers to a request: a refusal, or a cookie for the token; None lets it pass."""
        try:
            head = Head.parse(text)
            host, origin = urlsplit(f"//{head.headers.get('host', '')}"), urlsplit(head.headers.get("origin", ""))
            name = host.hostname
        except ValueError:
            return _response("400 Bad Request", "this is not HTTP")
        if head.method != "GET":
            return _response("405 Method Not Allowed", "the page is only read")
        if self.local and name not in _LOCAL_NAMES:
            return _response("403 Forbidden", "open the page as http://127.0.0.1 on this machine")
        if "origin" in head.headers and origin.netloc != host.netloc:
            return _response("403 Forbidden", "requests from other web sites are refused")
        if self.token is None or hmac.compare_digest(head.kept_token.encode(), self.token.encode()):
            return None
        if hmac.compare_digest(head.given_token.encode(), self.token.encode()):
            kept = f"Set-Cookie: {_COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/\r\nLocation: /\r\n"
            return _response("303 See Other", "", kept)
        return _response("403 Forbidden", "open the page with the address, token included, that `poise studio` has printed")


def is_local(host: str) -> bool:
    """Whether a host to listen at can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        remedy = "choose another --port, or --port 0 for any that is free"
        raise BadInput(f"cannot listen at {host}, port {port}: {reason}; {remedy}") from None


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):  # one side has gone
        while data := await source.read(1 << 16):
            sink.write(data)
            await sink.drain()


def _response(status: str, text: str, headers: str = "") -> bytes:
    body = f"{text}\n".encode()
    plain = f"Content-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"HTTP/1.1 {status}\r\n{plain}{headers}\r\n".encode("latin-1") + body
