# SPDX-License-Identifier: MIT
"""Tables as text, Markdown or CSV.

A Table is a title, column names and rows of strings; notes follow it. Columns whose cells look like
figures stand to the right.
"""
import csv
import io
import unicodedata

FORMATS = ("text", "markdown", "csv")


class Table:
    def __init__(self, title, columns, rows=None, notes=None):
        self.title, self.columns = title, list(columns)
        self.rows = rows if rows is not None else []
        self.notes = notes if notes is not None else []

    def add(self, *cells):
        self.rows.append(["" if cell is None else str(cell) for cell in cells])


def _width(text):
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def _is_figure(text):
    return not text or text[0].isdigit() or (text[0] in "-+<>" and text[1:2].isdigit())


def _rights(table):
    return [all(_is_figure(row[i]) for row in table.rows) and any(row[i] for row in table.rows)
            for i in range(len(table.columns))]


def _pad(text, width, right):
    fill = " " * (width - _width(text))
    return fill + text if right else text + fill


def _text(table, out):
    rights = _rights(table)
    widths = [max([_width(name)] + [_width(row[i]) for row in table.rows])
              for i, name in enumerate(table.columns)]
    out.write("%s\n" % table.title)
    rule = ["-" * width for width in widths]
    for row in [table.columns, rule] + table.rows:
        line = "  ".join(_pad(cell, width, right) for cell, width, right in zip(row, widths, rights))
        out.write(line.rstrip() + "\n")
    for note in table.notes:
        out.write("%s\n" % note)
    out.write("\n")


def _markdown_cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _markdown(table, out):
    rule = ["---:" if right else "---" for right in _rights(table)]
    out.write("### %s\n\n" % table.title)
    for row in [[_markdown_cell(name) for name in table.columns], rule]:
        out.write("| %s |\n" % " | ".join(row))
    for row in table.rows:
        out.write("| %s |\n" % " | ".join(_markdown_cell(cell) for cell in row))
    out.write("\n")
    for note in table.notes:
        out.write("%s\n\n" % note)


def csv_line(cells):
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _csv(table, out):
    out.write("# table: %s\n" % table.title)
    for note in table.notes:
        out.write("# note: %s\n" % note)
    out.write(csv_line(table.columns))
    for row in table.rows:
        out.write(csv_line(row))
    out.write("\n")


def write(tables, form, out):
    for table in tables:
        {"text": _text, "markdown": _markdown, "csv": _csv}[form](table, out)
