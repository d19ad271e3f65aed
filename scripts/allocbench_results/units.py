# SPDX-License-Identifier: MIT
"""Figures as people read them. Always with a decimal point, whatever the locale."""


def is_count(text):
    """Whether it is a whole number that is small enough to count with."""
    return text.isascii() and text.isdigit() and len(text) <= 20


def size(count):
    """64K, 1M, 1G: binary, exact or as bytes."""
    if count is None:
        return ""
    for unit, scale in (("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if count >= scale and count % scale == 0:
            return "%d%s" % (count // scale, unit)
    return "%d" % count


def figure(value, digits=3):
    """About `digits` significant digits, never an exponent for what people measure."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    exponent = int(("%.*e" % (digits - 1, value)).split("e")[1])
    return "%.*f" % (min(9, max(0, digits - 1 - exponent)), value)


def duration(ns):
    if ns is None:
        return ""
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= scale:
            return "%s %s" % (figure(ns / scale), unit)
    return "%s ns" % figure(ns)


def interval(low, high):
    return "%s to %s" % (bound(low), bound(high))


def bound(value):
    if value >= 1000:
        return ">1000"
    if value < 0.001:
        return "<0.001"
    return figure(value)


def plural(count, noun):
    return "%d %s%s" % (count, noun, "" if count == 1 else "s")
