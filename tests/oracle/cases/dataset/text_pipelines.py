"""Transforms of text in pipelines, and with wrong arguments."""

from tests.oracle.cases.dataset._text import cases, scope  # noqa: F401

EXACT = True
CASES = cases("""
mapped(text.WhitespaceTokenizer(), LINES)
mapped([text.WhitespaceTokenizer(), text.Truncate(1)], LINES)
mapped([text.BasicTokenizer(True), text.Lookup(v, "[UNK]")], LINES)
mapped([text.BasicTokenizer(True), text.WordpieceTokenizer(v), text.AddToken("[CLS]"), text.Lookup(v, "[UNK]")], LINES)
mapped([text.CaseFold(), text.NormalizeUTF8()], LINES)
mapped([text.WhitespaceTokenizer(), text.Ngram([1, 2])], LINES)
mapped([text.WhitespaceTokenizer(), lambda words: words[:1]], LINES)
mapped(text.PythonTokenizer(str.split), LINES)
mapped(lambda line: text.WhitespaceTokenizer()(line), LINES)
mapped([text.WhitespaceTokenizer(), text.SlidingWindow(2)], LINES)
mapped([text.WhitespaceTokenizer(), text.ToVectors(vec)], LINES)
mapped(text.RegexReplace("o", "0"), LINES)
mapped(text.WhitespaceTokenizer(True), LINES)
mapped(text.Lookup(v), LINES)
mapped(text.Lookup(v, "nope"), LINES)
mapped(text.RegexTokenizer("("), LINES)
mapped(text.WhitespaceTokenizer(True), LINES, THREE)
mapped(text.BertTokenizer(v, with_offsets=True), LINES, THREE)
mapped([text.CaseFold(), text.UnicodeCharTokenizer(True)], LINES, THREE)
mapped(text.RegexTokenizer("o", "o", True), LINES, THREE)
mapped(text.Truncate(1), ROWS)
mapped(text.AddToken("a"), ROWS)
mapped(text.Ngram(2), ROWS)
mapped(text.Lookup(v), ROWS)
mapped(text.SlidingWindow(2), ROWS)
mapped(text.WordpieceTokenizer(v), ROWS)
mapped(text.CaseFold(), ROWS)
mapped(text.WhitespaceTokenizer(), ROWS)
mapped(text.ToNumber(ms.int8), ROWS)
mapped(text.WordpieceTokenizer(v, with_offsets=True), [np.array(["ab"]), np.array([], "U1")], THREE)
mapped(text.TruncateSequencePair(3), [(np.array(["1", "2"]), np.array([3, 4]))], None, "ab")
mapped(text.TruncateSequencePair(3), [(np.array(["1", "2"]), np.array([], np.int32))], None, "ab")
mapped(text.TruncateSequencePair(3), [np.array(["1", "2"])])
(text.AddToken(1), 0)[1]
(text.AddToken("a", 1), 0)[1]
(text.AddToken(), 0)[1]
(text.Truncate(0), 0)[1]
(text.Truncate(1.5), 0)[1]
(text.Truncate(True), 0)[1]
(text.Truncate(2**31), 0)[1]
(text.SlidingWindow(0), 0)[1]
(text.SlidingWindow(1.5), 0)[1]
(text.SlidingWindow(True), 0)[1]
(text.SlidingWindow(2, 1.5), 0)[1]
(text.SlidingWindow(2, True), 0)[1]
(text.Ngram(0), 0)[1]
(text.Ngram(1.5), 0)[1]
(text.Ngram("a"), 0)[1]
(text.Ngram(True), 0)[1]
(text.Ngram([]), 0)[1]
(text.Ngram([1, 0]), 0)[1]
(text.Ngram([1.5]), 0)[1]
(text.Ngram(2, ("a",)), 0)[1]
(text.Ngram(2, (1, 1)), 0)[1]
(text.Ngram(2, ("a", -1)), 0)[1]
(text.Ngram(2, ("a", 1), ("b", 1.5)), 0)[1]
(text.Ngram(2, ("a", 1), ("b", 1), 1), 0)[1]
(text.Ngram((1, 2)), 0)[1]
(text.Ngram(2, ["a", 1]), 0)[1]
(text.Ngram(2, ("a", True)), 0)[1]
(text.ToNumber(ms.bool_), 0)[1]
(text.ToNumber(ms.string), 0)[1]
(text.ToNumber(np.int32), 0)[1]
(text.ToNumber("int32"), 0)[1]
(text.ToNumber(None), 0)[1]
(text.Lookup(v, data_type=np.int32), 0)[1]
(text.Lookup("x"), 0)[1]
(text.Lookup(text.Vocab()), 0)[1]
(text.Lookup(v, 1), 0)[1]
(text.Lookup(None), 0)[1]
(text.WordpieceTokenizer(v, max_bytes_per_token=-1), 0)[1]
(text.WordpieceTokenizer(v, max_bytes_per_token=True), 0)[1]
(text.WordpieceTokenizer(v, max_bytes_per_token=1.5), 0)[1]
(text.WordpieceTokenizer(None), 0)[1]
(text.WordpieceTokenizer(v, 1), 0)[1]
(text.WordpieceTokenizer(1), 0)[1]
(text.WordpieceTokenizer(v, unknown_token=None), 0)[1]
(text.WordpieceTokenizer(v, with_offsets=1), 0)[1]
(text.BertTokenizer(None), 0)[1]
(text.BertTokenizer(1), 0)[1]
(text.BertTokenizer(v, 1), 0)[1]
(text.BertTokenizer(v, "##", "a"), 0)[1]
(text.BertTokenizer(v, "##", 2**32), 0)[1]
(text.BertTokenizer(v, unknown_token=1), 0)[1]
(text.BertTokenizer(v, lower_case=1), 0)[1]
(text.BertTokenizer(v, keep_whitespace=None), 0)[1]
(text.BertTokenizer(v, normalization_form=1), 0)[1]
(text.BertTokenizer(v, with_offsets="a"), 0)[1]
(text.BertTokenizer(v, preserve_unused_token=1), 0)[1]
(text.BasicTokenizer(1), 0)[1]
(text.BasicTokenizer(True, 1), 0)[1]
(text.BasicTokenizer(normalization_form=0), 0)[1]
(text.BasicTokenizer(normalization_form=None), 0)[1]
(text.BasicTokenizer(with_offsets=1), 0)[1]
(text.NormalizeUTF8(1), 0)[1]
(text.NormalizeUTF8("NFC"), 0)[1]
(text.NormalizeUTF8(None), 0)[1]
(text.RegexReplace(1, "a"), 0)[1]
(text.RegexReplace("a", 1), 0)[1]
(text.RegexReplace("a", "b", 1), 0)[1]
(text.RegexReplace("a"), 0)[1]
(text.RegexTokenizer(None), 0)[1]
(text.RegexTokenizer(1), 0)[1]
(text.RegexTokenizer("a", 1), 0)[1]
(text.RegexTokenizer("a", "b", 1), 0)[1]
(text.WhitespaceTokenizer(1), 0)[1]
(text.WhitespaceTokenizer(None), 0)[1]
(text.UnicodeCharTokenizer(1), 0)[1]
(text.UnicodeScriptTokenizer(1), 0)[1]
(text.UnicodeScriptTokenizer(True, 1), 0)[1]
(text.PythonTokenizer(1), 0)[1]
(text.ToVectors(vec, 1), 0)[1]
(text.ToVectors(1), 0)[1]
(text.ToVectors(vec, ["a"]), 0)[1]
(text.ToVectors(vec, None, 1), 0)[1]
(text.ToVectors(vec, [True]), 0)[1]
(text.CaseFold(1), 0)[1]
""")
