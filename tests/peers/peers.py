#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds allocbench's figures against other ways of measuring the same work, in alternation.

    peers.py google --program build/release/bench/allocbench            Google Benchmark (libbenchmark-dev, g++)
    peers.py bare --program ... [--preload FILE] [--size 64]            a loop without a harness, cc
    peers.py handover --program ... [--size 4,1024]                     lockstep against one after the other

All take --pin CPU. Prints the median over --times alternations of allocbench's nanoseconds over the peer's, with the smallest
and the largest ratio. No test: what it prints depends on the machine.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CPU = str(max(os.sched_getaffinity(0)))
# Loop under Google Benchmark: allocbench's scenario, operation, backend and size.
LOOPS = {"malloc/64/real_time": ("churn", "replace", "malloc", "64"),
         "free-list/64/real_time": ("churn", "replace", "pool", "64"),
         "bump/16/real_time": ("batch", "alloc", "arena", "16")}


def run(command, **options):
    return subprocess.run(["taskset", "-c", CPU] + command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True, **options).stdout


def allocbench(program, *arguments):
    """Rows of a small run."""
    text = subprocess.run([program, "--quiet", "--no-facts", "--format", "csv", "--processes", "3",
                           "--pin", CPU] + list(arguments), check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    return list(csv.DictReader(text.splitlines()))


def warm_ns(program, scenario, operation, backend, size):
    rows = [row for row in allocbench(program, "--scenario", scenario, "--backend", backend, "--size", size)
            if row["op"] == operation]
    # Rows of batch are repeats, of which the first one grows the heap.
    rows = rows[1:] if len(rows) > 1 else rows
    return statistics.median(float(row["ns_per_op"]) for row in rows)


def google_ns(program):
    found = json.loads(run([program, "--benchmark_format=json", "--benchmark_min_time=0.2"],
                           stderr=subprocess.DEVNULL))
    return {entry["name"]: 1e9 / entry["items_per_second"] for entry in found["benchmarks"]}


def report(name, pairs):
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    print("%-24s %8.3f ns %8.3f ns  ratio %.3f (%.3f to %.3f) of %d" % (
        name, statistics.median(ours for ours, _ in pairs), statistics.median(theirs for _, theirs in pairs),
        statistics.median(ratios), ratios[0], ratios[-1], len(ratios)), flush=True)


def alternate(times, ours, theirs):
    """Results of both, who begins changing every time."""
    pairs = []
    for i in range(times):
        if i % 2 == 0:
            first = ours()
            pairs.append((first, theirs()))
        else:
            first = theirs()
            pairs.append((ours(), first))
    return pairs


def google(options, folder):
    peer = os.path.join(folder, "google")
    subprocess.run(["g++", "-O2", "-std=c++17", os.path.join(HERE, "google.cpp"), "-lbenchmark", "-lpthread",
                    "-o", peer], check=True)
    pairs = alternate(options.times, lambda: {name: warm_ns(options.program, *LOOPS[name]) for name in LOOPS},
                      lambda: google_ns(peer))
    for name in LOOPS:
        report(name, [(ours[name], theirs[name]) for ours, theirs in pairs])


def bare(options, folder):
    peer = os.path.join(folder, "bare")
    subprocess.run(["cc", "-O2", "-fno-builtin-malloc", os.path.join(HERE, "bare.c"), "-o", peer], check=True)
    backend = "preload:" + options.preload if options.preload else "malloc"
    for size in options.size.split(","):
        report("%s %s" % (os.path.basename(options.preload or "malloc"), size), alternate(
            options.times, lambda s=size: warm_ns(options.program, "churn", "replace", backend, s),
            lambda s=size: float(run(["env", "LD_PRELOAD=" + options.preload, peer, s] if options.preload
                                     else [peer, s]))))


def handover(options, _):
    def figures(size, *more):
        rows = allocbench(options.program, "--scenario", "churn", "--size", size, *more)
        return {row["backend"]: float(row["ns_per_op"]) for row in rows if row["status"] == "ok"}
    for size in options.size.split(","):
        pairs = alternate(options.times, lambda s=size: figures(s), lambda s=size: figures(s, "--no-lockstep"))
        for backend in pairs[0][0]:
            report("%s %s" % (backend, size), [(ours[backend], theirs[backend]) for ours, theirs in pairs])


def main():
    global CPU
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("google", "bare", "handover"))
    parser.add_argument("--program", required=True)
    parser.add_argument("--preload", default="")
    parser.add_argument("--size", default="64")
    parser.add_argument("--times", type=int, default=16)
    parser.add_argument("--pin", default=CPU, help="CPU for both")
    options = parser.parse_args()
    CPU = options.pin
    options.program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        {"google": google, "bare": bare, "handover": handover}[options.what](options, folder)


if __name__ == "__main__":
    main()
