"""Names the packages: `converters` and `mappings` stand at the top, and install inside the msbridge namespace."""

from setuptools import find_packages, setup

inside = [f"msbridge.{name}" for name in find_packages(include=["converters*", "mappings*"])]
setup(packages=find_packages(include=["msbridge*"]) + inside)
