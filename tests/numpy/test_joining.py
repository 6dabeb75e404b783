from face_tests import RecordedTests

from msbridge.numpy import joining


class TestJoining(RecordedTests):
    face = joining
