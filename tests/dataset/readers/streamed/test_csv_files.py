"""Readers of csv_files. Judge: what MindSpore 2.10 answered."""

from tests.dataset.stream_tests import replayed

test_answers = replayed(
    "CSVDataset",
    "AGNewsDataset",
    "AmazonReviewDataset",
    "DBpediaDataset",
    "SogouNewsDataset",
    "YelpReviewDataset",
    "YahooAnswersDataset",
    "SST2Dataset",
)
