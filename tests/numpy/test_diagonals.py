from msbridge.numpy import diagonals
from tests.numpy.face_tests import RecordedTests


class TestDiagonals(RecordedTests):
    face = diagonals
