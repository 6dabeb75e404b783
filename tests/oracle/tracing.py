"""Which recorded operators are one graph for torch's compiler, and where the graphs of the others end.

    python -m tests.oracle.tracing FAMILY …       counts, and the reasons of breaks with an example each

One case of each set of names that expressions use; nothing is compiled to machine code.
"""

import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

import msbridge
from msbridge import GraphBreak

msbridge.install()

from tests.oracle.case import Case, load, namespace  # noqa: E402 - they import mindspore

__all__ = ["Traced", "trace_family"]


@dataclass(frozen=True, slots=True)
class Traced:
    """One case, traced.

    Attributes:
        expression: of the case.
        breaks: where its graphs end.
        error: what the traced function raised, which does not raise as it is; or "".
    """

    expression: str
    breaks: tuple[GraphBreak, ...]
    error: str = ""

    @property
    def is_explained(self) -> bool:
        """Whether it is one graph, or every end of one has its line and reason."""
        return not self.error and all(one.line and one.reason for one in self.breaks)


def trace_family(family: str) -> Iterator[Traced]:
    """Yield the cases of a family, one for each set of names, but for those that raise."""
    module, cases = load(family)
    seen: set[tuple[str, ...]] = set()
    for case in cases:
        names = tuple(sorted(case.names_used()))
        if case.raises or case.xfail or not case.inputs or names in seen or "np" in names:  # Dynamo's own arrays
            continue
        seen.add(names)
        if (traced := _trace(case, module)) is not None:
            yield traced


def _trace(case: Case, module: ModuleType) -> Traced | None:
    """Return what tracing a case finds; None where it raises as it is."""
    rng = np.random.default_rng(zlib.crc32(case.name.encode()))
    scope = {**namespace(case.expression), **vars(module), **getattr(module, "scope", dict)()}
    function = eval(f"lambda {', '.join(case.inputs)}: ({case.expression})", scope)
    inputs = [value.tensor(rng) for value in case.inputs.values()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*inputs)
        except Exception:
            return None
        try:
            return Traced(case.expression, tuple(msbridge.graph_breaks(function, *inputs)))
        except Exception as error:
            return Traced(case.expression, (), f"{type(error).__name__}: {error}".partition("\n")[0])


def main() -> None:
    """Print what was found."""
    for family in sys.argv[1:]:
        found = list(trace_family(family))
        whole = sum(not one.breaks and not one.error for one in found)
        print(f"{family}: {len(found)} cases, {whole} are one graph, {len(found) - whole} are not")
        reasons = Counter(one.breaks[0].reason for one in found if one.breaks)
        for reason, count in reasons.most_common():
            example = next(one for one in found if one.breaks and one.breaks[0].reason == reason)
            print(f"  {count:4} {reason[:100]}: {example.expression}, {example.breaks[0]}")
        for one in found:
            if not one.is_explained:
                print(f"  UNEXPLAINED {one.expression}: {one.error or one.breaks}")


if __name__ == "__main__":
    main()
