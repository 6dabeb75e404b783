from msbridge.numpy import joining
from tests.numpy.face_tests import RecordedTests


class TestJoining(RecordedTests):
    face = joining
