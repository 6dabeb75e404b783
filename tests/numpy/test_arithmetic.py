from face_tests import RecordedTests

from msbridge.numpy import arithmetic


class TestArithmetic(RecordedTests):
    face = arithmetic
