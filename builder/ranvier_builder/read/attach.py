"""Files beside a Neuron, or Neurons without Markdown: the text of PDFs and transcripts, players and pictures (N7).

Such a text is not Markdown. It is written as escaped HTML without blank lines, so that nothing in it is interpreted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from ranvier_builder.markdown.claims import strip_claims
from ranvier_builder.model import Neuron, Warn
from ranvier_builder.paths import AUDIO, IMAGES, PAGES, VIDEO, suffix
from ranvier_builder.read.pdf import Pdf, read_pdf
from ranvier_builder.read.transcript import Transcript, read_transcript

# First characters of other tools' markup; character references replace them.
_MARKUP = str.maketrans({character: f"&#{ord(character)};" for character in "[{%$`\\"})
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ufeff]+")


def attach(root: Path, neuron: Neuron, files: Sequence[str]) -> tuple[Neuron, list[Warn]]:
    """Add the text of files to a Neuron, and players for media. The files then belong to the Neuron."""
    warnings: list[Warn] = []
    pdfs = [path for path in files if suffix(path) == ".pdf"]
    transcripts = _transcripts(files)
    recording = next((path for kind in (VIDEO, AUDIO) for path in files if suffix(path) in kind), "")
    picture = next((path for path in files if suffix(path) in IMAGES), "")
    parts = [neuron.body.rstrip("\n")] if neuron.body.strip() else []
    title, modality = neuron.title, neuron.modality
    for pdf in pdfs:
        content, new_warnings = read_pdf(root, pdf)
        warnings += new_warnings
        modality, parts = "pdf", [*parts, *_pdf(pdf, content)]
        title = title if neuron.path.lower().endswith(PAGES) else strip_claims(content.title).strip() or title
    if recording and not _mentions(neuron.body, recording):
        parts.append(_player(recording, transcripts))
    for path in transcripts:
        transcript, new_warnings = read_transcript(root, path)
        warnings += new_warnings
        parts += _transcript(recording, transcript)
    if transcripts or recording:
        modality = "audio" if modality == "text" else modality
    if picture and modality == "text" and not _mentions(neuron.body, picture):
        modality = "image"
        parts.append(f'<figure><img src="{_address(picture)}" alt="{_safe(neuron.title)}"></figure>')
    body = "\n\n".join(parts) + "\n"
    return replace(neuron, title=title, markdown=body, modality=modality, files=tuple(files)), warnings


def _transcripts(files: Sequence[str]) -> list[str]:
    """Return one transcript of each stem: `talk.vtt` before `talk.srt`; `talk.en.vtt` is a different one."""
    stems: dict[str, str] = {}
    for path in sorted((path for path in files if suffix(path) in (".vtt", ".srt")), key=lambda path: suffix(path) == ".srt"):
        stems.setdefault(str(PurePosixPath(path).with_suffix("")), path)
    return [path for path in files if path in stems.values()]


def _mentions(body: str, path: str) -> bool:
    """Return whether a text already mentions a file."""
    name = PurePosixPath(path).name
    return name in body or quote(name) in body


def _pdf(path: str, content: Pdf) -> list[str]:
    """Return the Markdown of a PDF: one heading for each page, with a link to the page in the file."""
    address, name = _address(path), _safe(PurePosixPath(path).name)
    out = [f'<p class="file"><a href="{address}">{name}</a></p>']
    for number, paragraphs in content.pages:
        out.append(f"## [Page {number}]({address}#page={number})")
        out += [f"<p>{_safe(text)}</p>" for text in paragraphs]
    return out


def _transcript(recording: str, transcript: Transcript) -> list[str]:
    """Return the Markdown of a transcript: a heading for about each minute, with a link to that second of the media file."""
    out = []
    for seconds, paragraphs in transcript:
        timestamp = _timestamp(seconds)
        out.append(f"## [{timestamp}]({_address(recording)}#t={seconds})" if recording else f"## {timestamp}")
        out += [f"<p>{_safe(text)}</p>" for text in paragraphs]
    return out


def _player(path: str, transcripts: Sequence[str]) -> str:
    """Return a player. A video has as captions the transcripts of the format that browsers read."""
    tag = "video" if suffix(path) in VIDEO else "audio"
    captions = [transcript for transcript in transcripts if tag == "video" and suffix(transcript) == ".vtt"]
    tracks = [f'<track kind="captions" src="{_address(path)}" label="{_safe(PurePosixPath(path).stem)}">' for path in captions]
    return f'<p class="player"><{tag} controls src="{_address(path)}">{"".join(tracks)}</{tag}></p>'


def _timestamp(seconds: int) -> str:
    hours, remainder = divmod(seconds, 3600)
    return f"{hours}:{remainder // 60:02}:{remainder % 60:02}" if hours else f"{remainder // 60:02}:{remainder % 60:02}"


def _address(path: str) -> str:
    """Return the relative address of a file in the same folder; it needs no escaping in Markdown or HTML."""
    return "./" + quote(PurePosixPath(path).name, safe="").replace("_", "%5F").replace("~", "%7E")


def _safe(text: str) -> str:
    """Escape text for HTML and Markdown, and remove claim anchors (A6)."""
    plain = _CONTROLS.sub(" ", text.encode("utf-8", "replace").decode())
    return escape(strip_claims(plain)).translate(_MARKUP)
