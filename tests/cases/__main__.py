"""Write down what sessions print now: `python -m tests.cases [AREA/NAME]...`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.cases.session import pages, played

for page in pages():
    if sys.argv[1:] and page.name not in sys.argv[1:]:
        continue
    with tempfile.TemporaryDirectory() as folder:
        shell, text = page.begun(Path(folder, "begun"))
        for number, session in enumerate(page.sessions.values()):
            text += played(session, page.again(shell, Path(folder, str(number))))
    if text != page.path.read_text("utf-8"):
        page.path.write_text(text, "utf-8")
        print(f"updated {page.name}")
