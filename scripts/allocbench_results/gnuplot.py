# SPDX-License-Identifier: MIT
"""Pictures as gnuplot scripts, and gnuplot itself. A Curves or Bars object says what is to be seen;
nothing about results is known here."""
import math
import os
import shutil
import subprocess

from .command import BadInput

HOW_TO_GET = ("gnuplot is not there: install it (Debian and Ubuntu: gnuplot-nox, macOS: brew install "
              "gnuplot, Windows: winget install gnuplot.gnuplot) or name it with --gnuplot")
TERMINALS = ("svg", "png", "dumb")
SETTINGS = {
    "svg": 'set terminal svg size 960,600 font "Helvetica,14" background rgb "white"',
    "pngcairo": 'set terminal pngcairo size 1200,750 font "Sans,13"',
    "png": 'set terminal png size 1200,750 truecolor',
}
# Colours that stay apart for colour-blind readers too (Okabe and Ito), darkened where pale.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#b8860b", "#7f3fbf",
           "#8c8c8c", "#a0522d")
FULL_POINTS = (7, 5, 9, 11, 13)
OPEN_POINTS = (6, 4, 8, 10, 12)


class NoGnuplot(BadInput):
    exit_code = 3


class Series:
    """One line: [(x, y, low or None, high or None)...]."""

    def __init__(self, title, points, is_published=False):
        self.title, self.is_published = title, is_published
        self.points = [point for point in points if point[1] is not None]


class Curves:
    """Lines over sizes, counts or repeats. `y_tic(value)` labels the y axis."""

    def __init__(self, name, title, x_label, y_label, series, x_tic, y_tic, is_x_log=True,
                 is_y_log=True, y_range=None):
        self.name, self.title, self.x_label, self.y_label = name, title, x_label, y_label
        self.series = [s for s in series if s.points]
        if is_y_log:
            for one in self.series:
                one.points = [point for point in one.points if point[1] > 0]
            self.series = [s for s in self.series if s.points]
        self.x_tic, self.y_tic = x_tic, y_tic
        self.is_x_log, self.is_y_log, self.y_range = is_x_log, is_y_log, y_range

    def is_empty(self):
        return not self.series

    def script(self, is_text):
        xs = sorted({point[0] for s in self.series for point in s.points})
        ys = [point[1] for s in self.series for point in s.points]
        lines = _head(self.title, self.x_label, self.y_label, is_text)
        lines += _x_axis(xs, self.x_tic, self.is_x_log, is_text)
        lines += _log_y(ys, self.y_tic) if self.is_y_log else _linear_y(ys, self.y_range)
        return lines + _data(self.series) + ["plot " + ", ".join(_plots(self.series))]


class Bars:
    """Groups of bars: [(category, measured (y, low, high) or None, published y or None)...]."""

    def __init__(self, name, title, y_label, groups):
        self.name, self.title, self.y_label, self.groups = name, title, y_label, groups

    def is_empty(self):
        return not self.groups

    def script(self, is_text):
        values = [measured[0] for _, measured, _ in self.groups if measured]
        values += [published for _, _, published in self.groups if published]
        lines = _head(self.title, "", self.y_label, is_text)
        lines += ["set boxwidth 0.36", "set style fill solid 0.85 border -1", "set grid noxtics ytics",
                  "set xrange [-0.6:%g]" % (len(self.groups) - 0.4),
                  "set yrange [0:%.9g]" % (1.25 * max(values)), "set ytics auto",
                  "set xtics (%s)" % ", ".join("%s %d" % (quoted(name), i)
                                               for i, (name, _, _) in enumerate(self.groups))]
        lines += ["$measured << EOD"]
        lines += ["%g %.9g %.9g %.9g" % ((i - 0.19,) + tuple(_clip(m)))
                  for i, (_, m, _) in enumerate(self.groups) if m]
        lines += ["EOD", "$published << EOD"]
        lines += ["%g %.9g" % (i + 0.19, p) for i, (_, _, p) in enumerate(self.groups) if p]
        lines += ["EOD"]
        plots = []
        if any(measured for _, measured, _ in self.groups):
            plots += ['$measured using 1:2 with boxes lc rgb "%s" title "measured"' % COLOURS[0],
                      "$measured using 1:2:3:4 with yerrorbars lc rgb \"black\" lw 1.5 pt 7 ps 0.4 notitle"]
        if any(published for _, _, published in self.groups):
            plots += ['$published using 1:2 with boxes lc rgb "%s" title "published"' % COLOURS[6]]
        return lines + ["plot " + ", ".join(plots)]


def _clip(measured):
    y, low, high = measured
    return y, y if low is None else low, y if high is None else high


def quoted(text):
    """A string of gnuplot. Single quotes: between double ones it would run `commands`."""
    return "'%s'" % "".join(c if c.isprintable() else " " for c in text).replace("'", "''")


def _head(title, x_label, y_label, is_text):
    return ["set encoding utf8", "set title %s noenhanced" % quoted(title),
            "set xlabel %s noenhanced" % quoted(x_label), "set ylabel %s noenhanced" % quoted(y_label),
            "set border 3", "set tics nomirror noenhanced",
            'set grid xtics ytics lt 1 lc rgb "#e0e0e0" lw 1' if not is_text else "unset grid",
            "set key below center horizontal noenhanced" if is_text else
            "set key outside right top vertical Left reverse noenhanced samplen 2 spacing 1.2",
            "set bars small", "set datafile missing"]


def _thinned(values, most):
    """Every n-th value, so that no more than `most` labels share an axis."""
    step = max(1, math.ceil(len(values) / most))
    return values[::step]


def _x_axis(xs, tic, is_log, is_text):
    shown = _thinned(xs, 8 if is_text else 16)
    labels = ", ".join("%s %.17g" % (quoted(tic(x)), x) for x in shown)
    if is_log:
        return ["set logscale x 2", "set xrange [%.9g:%.9g]" % (xs[0] / 1.5, xs[-1] * 1.5),
                "set xtics (%s)" % labels]
    return ["set xrange [%.9g:%.9g]" % (xs[0] - 0.3, xs[-1] + 0.3), "set xtics (%s)" % labels]


def _log_y(ys, tic):
    """Labels at the decades, at 1, 2 and 5 where there are few of them."""
    low, high = min(ys) / 1.6, max(ys) * 1.6
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if math.log10(high / low) < 2.5 else (1,)
    values = [step * 10.0 ** decade for decade in decades for step in steps]
    labels = ", ".join("%s %.9g" % (quoted(tic(value)), value) for value in values
                       if low <= value <= high)
    return ["set logscale y 10", "set yrange [%.9g:%.9g]" % (low, high), "set ytics (%s)" % labels]


def _linear_y(ys, y_range):
    low, high = y_range or (0, 1.1 * max(ys))
    return ["set yrange [%.9g:%.9g]" % (low, high)]


def _data(series):
    lines = []
    for index, one in enumerate(series):
        lines.append("$d%d << EOD" % index)
        for x, y, low, high in one.points:
            lines.append("%.17g %.9g %.9g %.9g" % (x, y, y if low is None else low,
                                                   y if high is None else high))
        lines.append("EOD")
    return lines


def _plots(series):
    for index, one in enumerate(series):
        colour = COLOURS[index % len(COLOURS)]
        points = OPEN_POINTS if one.is_published else FULL_POINTS
        style = 'lc rgb "%s" pt %d ps 1 lw 2%s' % (
            colour, points[index % len(points)], " dt 2" if one.is_published else "")
        if any(low is not None for _, _, low, _ in one.points):
            yield '$d%d using 1:2:3:4 with yerrorbars lc rgb "%s" lw 1 ps 0 notitle' % (index, colour)
        yield "$d%d using 1:2 with linespoints %s title %s" % (index, style, quoted(one.title))


# --- the program ---

def find(wanted):
    program = shutil.which(wanted or "gnuplot")
    if not program:
        raise NoGnuplot(HOW_TO_GET)
    return os.path.abspath(program)  # it is run in another folder


def _run(program, lines, folder):
    result = subprocess.run([program, "-"], input="\n".join(lines + [""]).encode("utf-8"), cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = result.stderr.decode("utf-8", "replace").split("\n")
    if result.returncode != 0:
        raise BadInput("gnuplot failed: %s" % " ".join(line.strip() for line in said if line.strip()))
    return result.stdout.decode("utf-8", "replace")


def _terminal(program, name):
    """Settings of the terminal; older builds draw PNG without cairo."""
    if name == "png":
        known = subprocess.run([program, "-e", "print GPVAL_TERMINALS"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT).stdout
        return SETTINGS["pngcairo" if b"pngcairo" in known else "png"]
    if name == "dumb":
        width, height = shutil.get_terminal_size((100, 32))
        return "set terminal dumb noenhanced size %d,%d mono" % (max(60, width), max(20, height - 2))
    return SETTINGS[name]


def draw(pictures, terminal, folder, program):
    """Writes one file per picture, or with the terminal "dumb" returns them as text."""
    settings = _terminal(program, terminal)
    is_text = terminal == "dumb"
    texts, files = [], []
    for picture in pictures:
        lines = [settings]
        if not is_text:
            files.append("%s.%s" % (picture.name, terminal))
            lines.append("set output '%s'" % files[-1])
        texts.append(_run(program, lines + picture.script(is_text), None if is_text else folder))
    return "".join(texts), [os.path.join(folder, file) for file in files]
