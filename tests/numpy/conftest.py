"""The shared tests speak through their asserts, as the test files do.

This folder has no `__init__.py`: without one it never stands before the real numpy, wherever on the path it is found.
"""

import pytest

pytest.register_assert_rewrite("tests.numpy.face_tests")
