from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import complex_numbers


class TestComplexNumbers(RecordedTests, RefusalTests):
    module = complex_numbers
