from face_tests import RecordedTests

from msbridge.numpy import windows


class TestWindows(RecordedTests):
    face = windows
