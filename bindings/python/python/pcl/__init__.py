"""The front end of PCL, the Pulumi Configuration Language: check, fix, format, read, preview.

>>> import pcl
>>> report = pcl.check({"main.pp": "size = lenght([1, 2])"})
>>> print(report.diagnostics[0])
main.pp:1:8: error[PCL0601] there is no function `lenght`
"""

from . import (
    diagnostics,
    document,
    editor,
    expressions,
    names,
    nodes,
    options,
    packages,
    places,
    previews,
    schemas,
    types,
)
from ._help import describe_fields as _describe_fields
from ._native import VERSION as __version__
from ._record import Constant, JsonValue
from .diagnostics import Diagnostic, Edit, Fix, Label, Position, Range
from .document import Document
from .errors import PclError, ProgramError, SchemaError, SettingsError, UnknownTopicError
from .previews import Preview
from .program import Format, Program, Report, Sdk
from .schemas import PackageRequest
from .workspace import (
    Converted,
    Fixed,
    Language,
    Loader,
    Setting,
    Target,
    Workspace,
    check,
    explain,
    find_programs,
    format,
)

__all__ = [
    "Constant",
    "Converted",
    "Diagnostic",
    "Document",
    "Edit",
    "Fix",
    "Fixed",
    "Format",
    "JsonValue",
    "Label",
    "Language",
    "Loader",
    "PackageRequest",
    "PclError",
    "Position",
    "Preview",
    "Program",
    "ProgramError",
    "Range",
    "Report",
    "SchemaError",
    "Sdk",
    "Setting",
    "SettingsError",
    "Target",
    "UnknownTopicError",
    "Workspace",
    "__version__",
    "check",
    "diagnostics",
    "editor",
    "explain",
    "expressions",
    "find_programs",
    "format",
    "names",
    "nodes",
    "options",
    "packages",
    "places",
    "previews",
    "schemas",
    "types",
]

for _module in (
    diagnostics,
    document,
    editor,
    expressions,
    nodes,
    options,
    packages,
    places,
    previews,
    schemas,
    types,
):
    _describe_fields(_module)
