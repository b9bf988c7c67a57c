"""What a document says that its spec does not, as sentences."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Notes:
    """Remarks on what was changed or left out, and faults of the document; each is there once."""

    remarks: dict[str, None] = field(default_factory=dict)
    faults: dict[str, None] = field(default_factory=dict)

    def remark(self, text: str) -> None:
        """Remember what is not as in the document."""
        self.remarks[text] = None

    def fault(self, text: str) -> None:
        """Remember what is wrong with the document, so that the spec lacks it."""
        self.faults[text] = None

    def copy(self) -> Notes:
        """Return notes that begin with these."""
        return Notes({**self.remarks}, {**self.faults})
