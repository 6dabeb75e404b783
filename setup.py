"""Names the packages: `converters` and `mappings` stand at the top, and install inside the msbridge namespace.

Beside them the wheel has `mindspore-stubs`, which points type checkers at msbridge's types.
"""

import runpy
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py


class BuildWithStubs(build_py):
    """Writes what is generated from the tables; in a checkout nothing is."""

    def run(self) -> None:
        """Copy the packages, then write the stubs beside them."""
        super().run()
        if not self.editable_mode:
            write = runpy.run_path(str(Path(__file__).parent / "tools" / "mindspore_stubs.py"))["write"]
            write(Path(self.build_lib))


inside = [f"msbridge.{name}" for name in find_packages(include=["converters*", "mappings*"])]
setup(packages=find_packages(include=["msbridge*"]) + inside, cmdclass={"build_py": BuildWithStubs})
