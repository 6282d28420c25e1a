"""The exceptions of the package."""

from __future__ import annotations

import json

from ._record import Tables
from .diagnostics import Diagnostic


class PclError(Exception):
    """The base class of the exceptions of the package."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics
        """The mistakes in a program or file, if they are the reason."""

    def __str__(self) -> str:
        lines = [super().__str__(), *(str(diagnostic) for diagnostic in self.diagnostics)]
        return "\n".join(lines)


class ProgramError(PclError):
    """A program, or a text of one, has errors."""


class SettingsError(PclError):
    """A setting or a configuration file is wrong."""


class SchemaError(PclError):
    """A schema cannot be read or found, or has no such member."""


class UnknownTopicError(PclError):
    """There is no page about a word."""


def _make(name: str, message: str, document: bytes | None) -> PclError:
    """An exception with the diagnostics of a document of `pcl check`, for the native module."""
    diagnostics: list[Diagnostic] = []
    if document is not None:
        for program in json.loads(document)["programs"]:
            diagnostics += [Diagnostic._read(Tables(), it) for it in program["diagnostics"]]
    classes: list[type[PclError]] = [PclError, *PclError.__subclasses__()]
    (cls,) = (cls for cls in classes if cls.__name__ == name)
    return cls(message, tuple(diagnostics))
