"""Builds the package (PEP 517) with the standard library alone, so that it installs without a network.

Equal sources make equal files: names are sorted, and every time is the earliest that a ZIP can have.
"""
import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
TIME = (1980, 1, 1, 0, 0, 0)
TIME_S = 315532800


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, version, metadata = _project()
    info = f"{name}-{version}.dist-info"
    files = {str(file.relative_to(HERE / "src")): file.read_bytes() for file in _sources()}
    files[f"{info}/METADATA"] = metadata
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: kinora\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/licenses/LICENSE"] = (HERE / "LICENSE").read_bytes()
    record = "".join(f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name, version, metadata = _project()
    folder = f"{name}-{version}"
    others = [HERE / each for each in ("LICENSE", "README.md", "build_backend.py", "pyproject.toml")]
    files = {str(file.relative_to(HERE)): file.read_bytes() for file in sorted([*others, *_sources()])}
    files["PKG-INFO"] = metadata
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{folder}/{path}")
            entry.size, entry.mtime, entry.mode = len(data), TIME_S, 0o644
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / f"{folder}.tar.gz").write_bytes(gzip.compress(content.getvalue(), mtime=TIME_S))
    return f"{folder}.tar.gz"


def _sources():
    return sorted(file for file in (HERE / "src").rglob("*") if file.suffix == ".py" or file.name == "py.typed")


def _project():
    # tomllib is newer than Python 3.9.
    text = (HERE / "pyproject.toml").read_text()
    values = dict(re.findall(r'^([\w-]+) = "(.*)"$', text, re.M))
    head = [
        "Metadata-Version: 2.4",
        f"Name: {values['name']}",
        f"Version: {values['version']}",
        f"Summary: {values['description']}",
        f"Requires-Python: {values['requires-python']}",
        f"License-Expression: {values['license']}",
        "License-File: LICENSE",
        "Description-Content-Type: text/markdown",
    ]
    metadata = "\n".join(head) + "\n\n" + (HERE / "README.md").read_text()
    return values["name"], values["version"], metadata.encode()


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
