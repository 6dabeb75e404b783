from msbridge.numpy import arithmetic
from tests.numpy.face_tests import RecordedTests


class TestArithmetic(RecordedTests):
    face = arithmetic
