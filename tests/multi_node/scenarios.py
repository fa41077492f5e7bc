"""Runs scenarios side by side: functions of a name for their lab, most of which wait for hosts most of the time."""

import concurrent.futures
import sys
import time

AT_ONCE = 8


def named(name, function):
    function.__name__ = name
    return function


def outcome_of(number, scenario):
    begin = time.monotonic()
    try:
        scenario(f"lab{number}")
        fault = ""
    except Exception as caught:  # whatever it is, the other scenarios continue
        fault = f"{type(caught).__name__}: {caught}\n"
    return f"{scenario.__name__}: {'FAILED' if fault else 'passed'} in {time.monotonic() - begin:.1f} s\n", fault


def run(scenarios):
    """One line per scenario with its faults; the process ends with 1 if any failed."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(outcome_of, range(len(scenarios)), scenarios))
    for line, fault in outcomes:
        print(line + fault, end="")
    sys.exit(any(fault for _, fault in outcomes) or not outcomes)
