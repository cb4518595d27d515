"""Small PDFs."""

from collections.abc import Sequence


def pdf(*pages: Sequence[str], title: str = "") -> bytes:
    """Make a PDF with a page for each sequence of lines."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for at, lines in enumerate(pages):
        drawn = "".join(f"({_escaped(line)}) Tj T* " for line in lines)
        stream = f"BT /F1 12 Tf 14 TL 72 720 Td {drawn}ET"
        resources = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} /Contents {5 + 2 * at} 0 R >>")
        objects.append(f"<< /Length {len(stream.encode('cp1252'))} >>\nstream\n{stream}\nendstream")
    info = len(objects) + 1
    objects.append(f"<< /Title ({_escaped(title)}) >>")
    return _written(objects, info)


def _written(objects: list[str], info: int) -> bytes:
    out, offsets = b"%PDF-1.4\n", []
    for number, item in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{item}\nendobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    tail = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {info} 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + tail.encode()


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
