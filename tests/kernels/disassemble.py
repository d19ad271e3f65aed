#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Disassembles the scenarios' kernels: no kernel may call through a pointer (imports of a DLL excepted),
and the kernel of malloc must still call malloc and free. The kernel of `lib`, whose functions are found at
run time, is the one exception: it must call through pointers, or it does not call the library.

usage: disassemble.py OBJDUMP OBJECT...
"""
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
# Calls, and jumps that could be tail calls through a structure; jump tables index by a register.
INDIRECT = re.compile(r"\b(?:call[a-z]*|jmp[a-z]*)\s+\*(?!\w*\(,)(?!%)|\bcall[a-z]*\s+\*%|\bblr\b")
IMPORT = re.compile(r"__imp_")


def functions(objdump, path):
    """Name and lines of every function of an object file."""
    text = subprocess.run([objdump, "-dr", path], check=True, stdout=subprocess.PIPE).stdout.decode()
    found = []
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            found.append((match.group(1), []))
        elif found:
            found[-1][1].append(line)
    return found


def indirect_calls(lines):
    """Calls through a pointer, but for functions imported from a DLL: their address comes from the import
    table, at the call or in a register that was loaded from there or from such a register."""
    imported = set()
    for number, line in enumerate(lines):
        relocation = lines[number + 1] if number + 1 < len(lines) else ""
        loaded = re.search(r"\bmov\s+.*,(%\w+)\s*(?:#.*)?$", line)
        if loaded and IMPORT.search(relocation):
            imported.add(loaded.group(1))
    copies = [copy.groups() for copy in (re.search(r"\bmov\s+(%\w+),(%\w+)\s*$", line) for line in lines)
              if copy]
    for _ in copies:
        imported.update(to for source, to in copies if source in imported)
    for number, line in enumerate(lines):
        relocation = lines[number + 1] if number + 1 < len(lines) else ""
        register = re.search(r"\*(%\w+)\s*$", line)
        if (INDIRECT.search(line) and not IMPORT.search(line + relocation)
                and not (register and register.group(1) in imported)):
            yield line.strip()


def main():
    objdump, paths = sys.argv[1], sys.argv[2:]
    kernels, malloc_kernels, faults = 0, 0, []
    for path in paths:
        called, has_malloc = set(), False
        for name, lines in functions(objdump, path):
            plain = name.split(".")[0].lstrip("_")
            if not plain.startswith("kernel_"):
                continue
            kernels += 1
            through_pointers = ["%s: %s: %s" % (path, name, call) for call in indirect_calls(lines)]
            if plain != "kernel_lib":
                faults += through_pointers
            elif not through_pointers:
                faults.append("%s: the kernel of lib calls nothing through a pointer" % path)
            if plain == "kernel_malloc":
                has_malloc = True
                called |= set(re.findall(r"\b(?:__imp_)?(malloc|free)\b", "\n".join(
                    line for line in lines if "R_X86_64" in line or "IMAGE_REL" in line
                    or "R_386" in line or "R_AARCH64" in line or "DISP32" in line or "dir32" in line)))
        malloc_kernels += has_malloc
        if has_malloc and called != {"malloc", "free"}:
            faults.append("%s: the malloc kernel calls only %s" % (path, sorted(called)))
    if kernels == 0 or malloc_kernels == 0:
        faults.append("no kernel found: were the names changed?")
    for fault in faults:
        print(fault)
    print("%d kernels in %d files" % (kernels, len(paths)))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
