# SPDX-License-Identifier: GPL-2.0-or-later
"""Stored runs of tools/bench: written, read, and compared with a later run of the same machine."""
import json
import platform
import statistics
import sys
from pathlib import Path

WORSE = 1.03  # a figure is worse if it is above this by more than its spread


def identity(report: dict) -> list:
    """What must be equal for two runs to be compared: (what, value)."""
    return [("machine", report.get("machine")), ("kernel", report.get("kernel")), ("tree", report.get("tree"))]


def stamp(report: dict, tree: str) -> dict:
    return {**report, "kernel": platform.release(), "tree": tree}


def load(file: Path) -> dict:
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
        [(m["name"], m["ours"], m["seconds"], m["cpu_seconds"], m["peak_mb"]) for m in report["results"]]
        return report
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"bench: '{file}' is no stored run: {error}")


def save(file: Path, report: dict) -> None:
    file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def refuse_another(file: Path, stored: dict, now: dict) -> None:
    """Ends the program where the stored run is not one of this machine and tree."""
    for (what, before), (_, here) in zip(identity(stored), identity(now)):
        if before != here:
            sys.exit(f"bench: '{file}' is of another {what}: '{before}', and this is '{here}'")


def quartiles(values: list) -> tuple:
    if len(values) < 2:
        return values[0], values[0]
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return first, third


class Ratio:
    """Of the medians of a figure now and before, with its spread: the ratios of their opposite quartiles."""

    def __init__(self, before: list, now: list):
        (low_before, high_before), (low, high) = quartiles(before), quartiles(now)
        self.value = statistics.median(now) / statistics.median(before)
        self.low, self.high = low / high_before, high / low_before
        self.worse = self.low > WORSE

    def __str__(self) -> str:
        return f"{self.value:.2f} ({self.low:.2f}-{self.high:.2f})" + (" **worse**" if self.worse else "")


def ratios_of(before: dict, now: dict) -> dict:
    """{column: Ratio} of one measure. Peaks are of single runs and have no spread."""
    found = {"time": Ratio(before["seconds"], now["seconds"])}
    if min(before["cpu_seconds"] + now["cpu_seconds"]) > 0:  # else shorter than a step of the kernel's clock
        found["CPU time"] = Ratio(before["cpu_seconds"], now["cpu_seconds"])
    if before["peak_mb"] and now["peak_mb"]:
        found["peak memory"] = Ratio([before["peak_mb"]], [now["peak_mb"]])
    return found


def compare(stored: dict, now: dict) -> tuple:
    """(table, names of the figures that are worse). Other programs tell how the machine differs: they are
    compared, and never worse."""
    columns = ("time", "CPU time", "peak memory")
    lines = ["| what | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    before = {m["name"]: m for m in stored["results"]}
    worse = []
    for measure in now["results"]:
        if measure["name"] not in before:
            continue
        found = ratios_of(before[measure["name"]], measure)
        if not measure["ours"]:
            for ratio in found.values():
                ratio.worse = False
        worse += [f"{measure['name']}: {column}" for column, ratio in found.items() if ratio.worse]
        name = measure["name"] if measure["ours"] else f"({measure['name']})"
        lines.append(f"| {name} | " + " | ".join(str(found.get(c, "")) for c in columns) + " |")
    size = Ratio([stored["index_bytes"]], [now["index_bytes"]])
    worse += ["index on disk"] * size.worse
    lines.append(f"| index on disk | {size} | | |")
    if len(lines) == 3:
        sys.exit("bench: the two runs have no measure in common")
    return "\n".join(lines), worse
