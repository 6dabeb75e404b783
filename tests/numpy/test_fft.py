from face_tests import RecordedTests

from msbridge.numpy import fft


class TestFft(RecordedTests):
    face = fft
