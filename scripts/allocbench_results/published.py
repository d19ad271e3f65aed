# SPDX-License-Identifier: MIT
"""The figures of the five documents, from results/published. Strings stay as they were printed."""
import csv
import os

from .command import BadInput

FILES = {"000": "000_granularity.csv", "001": "001_churn.csv", "002": "002_batch.csv",
         "003": "003_map.csv", "004": "004_growth.csv"}
SCENARIOS = {"000": "granularity", "001": "churn", "002": "batch", "003": "map", "004": "growth"}
DOCUMENTS = tuple(sorted(FILES))
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
                      "results", "published")

CPP, DOTNET_11, DOTNET_20 = "C++", ".NET 1.1", ".NET 2.0"
SPACE_BYTES = 1 << 31  # what a 32-bit process could reserve of


def read(document):
    """Rows of a document as dictionaries of strings."""
    path = os.path.join(FOLDER, FILES[document])
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, strict=True))
    except (OSError, csv.Error, UnicodeDecodeError) as problem:
        raise BadInput("%s: the published figures cannot be read: %s" % (path, problem))


def granularity():
    """{block size: {phase: row}}."""
    found = {}
    for row in read("000"):
        found.setdefault(int(row["block_bytes"]), {})[row["phase"]] = row
    return found


def _program(row):
    return CPP if row["program"] == "cpp_new_delete" else row["runtime"].replace(" Framework", "")


def churn():
    """{program: {object size: [seconds of each run, as printed]}}."""
    found = {}
    for row in read("001"):
        sizes = found.setdefault(_program(row), {})
        sizes.setdefault(int(row["object_bytes"]), []).append(row["elapsed_s"])
    return found


def mean(texts):
    return sum(float(text) for text in texts) / len(texts)


def map_means():
    """{subject: mean milliseconds}."""
    found = {}
    for row in read("003"):
        found.setdefault(row["subject"], []).append(row["elapsed_ms"])
    return {subject: mean(texts) for subject, texts in found.items()}
