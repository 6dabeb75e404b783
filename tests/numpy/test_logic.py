from msbridge.numpy import logic
from tests.numpy.face_tests import RecordedTests


class TestLogic(RecordedTests):
    face = logic
