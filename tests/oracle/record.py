"""Record what the real MindSpore does: evaluate the cases there and store the outcomes in `records/`.

    python tests/oracle/record.py [--python PYTHON] [--anew] [FAMILY …]

PYTHON is the interpreter of an environment with `mindspore==2.10.0` and `numpy<2` (default: this one). Without a
family, all of them, each in a process of its own. An outcome is stored under the name of its case: only cases that
have none are evaluated, unless all are to be recorded anew. A case that raises without saying so, or does not raise
where it should, is reported and not recorded.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter that has the real MindSpore")
    parser.add_argument("--anew", action="store_true", help="also record what is recorded")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("families", nargs="*")
    options = parser.parse_args()
    if options.one:
        return record(options.families[0], options.anew)
    families = options.families or sorted(path.stem for path in (HERE / "cases").glob("[a-z]*.py"))
    environment = {**os.environ, "GLOG_v": "3", "PYTHONPATH": ""}
    codes = []
    for family in families:
        with tempfile.TemporaryDirectory() as folder:  # MindSpore leaves files where it runs
            command = [options.python, str(Path(__file__).resolve()), "--one", family, *["--anew"] * options.anew]
            codes.append(subprocess.run(command, cwd=folder, env=environment, check=False).returncode)
    return 1 if any(codes) else 0


def record(family: str, anew: bool) -> int:
    """Record one family in this process; return 1 when a case was not as its row says."""
    import mindspore as ms
    from case import load
    from outcome import encode, encode_error, read, write

    if hasattr(ms, "install"):
        raise SystemExit("this `mindspore` is msbridge; --python must name an environment with the real one")
    ms.runtime.launch_blocking()  # errors surface at the call that makes them
    module, cases = load(family)
    path = HERE / "records" / f"{family}.json.gz"
    release, recorded = read(path)
    known = {} if anew or release != ms.__version__ else recorded
    outcomes = {case.name: known[case.name] for case in cases if case.name in known}
    missing, refused = [case for case in cases if case.name not in known], 0
    for case in missing:
        try:
            outcome = encode(case.run(module))
            problem = f"does not raise, gives {outcome}" if case.raises else ""
        except Exception as error:
            outcome = encode_error(error, case.says)
            first = next((line for line in str(error).splitlines() if line.strip(" -")), "")
            problem = "" if case.raises and isinstance(error, case.raises) else f"{type(error).__name__}: {first}"
        if problem:
            refused += 1
            print(f"{family}: {case.name}\n    {problem[:300]}", flush=True)
        else:
            outcomes[case.name] = outcome
    write(path, ms.__version__, outcomes)
    recorded_now = len(missing) - refused
    print(f"{family}: {recorded_now} recorded, {refused} refused, {path.stat().st_size} bytes in all", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
