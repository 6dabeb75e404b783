"""Puts the stand-in in place where a Python begins: with this folder on PYTHONPATH, its children have it as well.

MSBRIDGE_STANDIN names the library; torch is imported here, before anything that asks it for devices.
"""

import importlib.util
import os
import sys
from pathlib import Path

path = Path(__file__).parents[1] / "cuda_module.py"
if "MSBRIDGE_STANDIN" in os.environ and "msbridge_standin" not in sys.modules:
    spec = importlib.util.spec_from_file_location("msbridge_standin", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.install(os.environ["MSBRIDGE_STANDIN"], os.environ.get("MSBRIDGE_STANDIN_FACE", "cuda"))
