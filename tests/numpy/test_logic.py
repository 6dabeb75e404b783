from face_tests import RecordedTests

from msbridge.numpy import logic


class TestLogic(RecordedTests):
    face = logic
