"""Pages in a browser: what they show, and how they answer to the controls and the keyboard."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome is installed")
_FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --virtual-time-budget=4000""".split()

# A promise: the browser has given the page the focus, which on a busy machine it does after the page is loaded.
# Messages take none of the virtual time.
_FOCUSED = """
(async () => {
  for (let left = 200000; left > 0 && !document.hasFocus(); left--) {
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    });
  }
})()
""".strip()

# leave(value): the value is what `probed` returns.
_LEAVE = """
<script>
function leave(value) {
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(value);
  document.body.append(result);
}
</script>
"""


def probed(page: str, probe: str, folder: Path) -> dict[str, Any]:
    """Open a page from disk with a script at its end, which calls `leave(value)`; returns the value.

    The script may await FOCUSED.
    """
    probe = _LEAVE + probe.replace("FOCUSED", _FOCUSED)
    dom = _opened(page.replace("</body>", probe + "</body>"), folder, "--dump-dom").decode("utf-8")
    left = re.search(r'<pre id="probe">(.*)</pre>', dom)
    assert left, "the script did not run to its end"
    result: dict[str, Any] = json.loads(left[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    return result


def printed(page: str, folder: Path) -> bytes:
    """The PDF of a page."""
    _opened(page, folder, f"--print-to-pdf={folder / 'page.pdf'}")
    return (folder / "page.pdf").read_bytes()


def _opened(page: str, folder: Path, what: str) -> bytes:
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [str(BROWSER), *_FLAGS, what, f"--user-data-dir={folder / 'profile'}", path.as_uri()]
    return subprocess.run(command, capture_output=True, timeout=120, check=True).stdout
