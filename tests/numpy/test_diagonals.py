from face_tests import RecordedTests

from msbridge.numpy import diagonals


class TestDiagonals(RecordedTests):
    face = diagonals
