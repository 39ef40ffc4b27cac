"""
Measures of a ranking against judgments: one file a family, found by reading this folder.

To add one, write a file with a function decorated by `measure`, and its test; nothing else changes.
"""

from importlib import import_module
from pkgutil import iter_modules

from comparekit.measures.parsing import Measure, parse_measure
from comparekit.measures.registry import REASONS, Family, Param, Values, families, measure

__all__ = ["REASONS", "Family", "Measure", "Param", "Values", "families", "measure", "parse_measure"]

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
