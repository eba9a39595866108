"""What README and docs say exists: links, pictures, commands, code. Nothing is run here but the parsers."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

from poise.cli.main import _parser
from poise.motion import library
from poise.scenario.scenario import read_scenario

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0]
PICTURES_LIMIT = 8_000_000  # bytes, all of docs/images: a clone should stay quick
FRONT_PICTURE_LIMIT = 400_000

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
INLINE = re.compile(r"`([^`\n]+)`")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, *languages: str) -> list[str]:
    return [code for language, code in FENCE.findall(text_of(page)) if language in languages]


def links(page: Path) -> list[tuple[bool, str]]:
    """Whether it is a picture, and where it leads; code is left out."""
    prose = INLINE.sub("", FENCE.sub("", text_of(page)))
    return [(bang == "!", target) for bang, target in LINK.findall(prose)]


def commands(page: Path) -> list[str]:
    """Lines of shell blocks and inline code that call poise."""
    lines = [line.removeprefix("$ ") for code in blocks(page, "sh", "console") for line in code.splitlines()]
    lines += INLINE.findall(FENCE.sub("", text_of(page)))
    return [line.split("#")[0].strip() for line in lines if line.startswith("poise ") and "CLIP" not in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for _, target in links(page):
        if not target.startswith(("http://", "https://", "#")):
            place = page.parent / unquote(target.split("#")[0])
            assert place.exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_in_code_style_exist(page):
    for name in re.findall(r"`((?:docs|tests|tools|benchmarks|examples|src)/[\w./-]+)`", text_of(page)):
        assert (ROOT / name).exists(), f"{page.name}: {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_poise_commands_parse(page):
    for command in commands(page):
        words = shlex.split(command.split(">")[0])[1:]
        if words == ["demo"] or len(words) > 1:  # one word alone only names a command
            _parser().parse_args(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_compile(page):
    for code in blocks(page, "python"):
        compile(code, page.name, "exec")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_toml_blocks_are_toml(page):
    for code in blocks(page, "toml"):
        tomllib.loads(code)


def test_readme_shows_commands_and_code():
    assert len(commands(README)) >= 5
    assert blocks(README, "python")


def test_every_page_can_be_reached_from_the_front_page():
    seen, waiting = set(), [README]
    while waiting:
        page = waiting.pop()
        seen.add(page)
        named = {(page.parent / target.split("#")[0]).resolve() for _, target in links(page)}
        named |= {ROOT / name for name in re.findall(r"`(docs/\w+\.md)`", text_of(page))}
        waiting += [other for other in named - seen if other.suffix == ".md" and other.exists()]
    assert set(PAGES) <= seen


def test_every_example_is_in_readme():
    named = {target for _, target in links(README)}
    assert {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.py")} <= named


def test_the_example_scene_is_a_scenario():
    assert len(read_scenario(ROOT / "examples" / "scene.toml").events) == 2


def test_every_picture_is_shown_and_all_together_are_small():
    shown = {(page.parent / target).resolve() for page in PAGES for is_picture, target in links(page) if is_picture}
    pictures = set((ROOT / "docs" / "images").glob("*.png"))
    assert pictures <= shown
    assert sum(picture.stat().st_size for picture in pictures) < PICTURES_LIMIT


def test_the_picture_at_the_top_is_small():
    is_picture, target = links(README)[0]
    assert is_picture
    assert (ROOT / target).stat().st_size < FRONT_PICTURE_LIMIT


def test_the_gallery_shows_all_our_own_clips():
    shown = {target for _, target in links(ROOT / "docs" / "gallery.md")}
    assert {f"images/own_{name}.png" for name in library.names()} <= shown
