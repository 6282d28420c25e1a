"""Names for generated code: legal identifiers, unlike each other and unlike reserved words."""

from ._native import Names, camel_case, pascal_case, snake_case

__all__ = ["Names", "camel_case", "pascal_case", "snake_case"]
