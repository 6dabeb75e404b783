"""Finds in source files, without running them, what will not work on a real device: findings with lines and fixes."""

from msbridge.scan.findings import Finding, Level, Rule
from msbridge.scan.scanning import SECTIONS, Report, Section, scan
