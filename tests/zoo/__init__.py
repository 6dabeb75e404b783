"""Networks that tests of several rooms share.

`pairs` and the families beside it (`bert`, `convolutions` …, all of them in `written`) are torch modules with the Cells
that someone made of them, and with faults; `held_out` are those that no comparison is tuned to. Networks of `.mindir`
files: `exported` are the recorded ones, `full_size` of usual sizes, `mindir_rules` one for each rule of writing.
"""
