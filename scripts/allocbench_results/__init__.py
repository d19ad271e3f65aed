# SPDX-License-Identifier: MIT
"""What the scripts share: reading results, statistics, claims, tables and pictures.

Data flows one way: reading -> rows -> estimates -> claims, advice, comparison -> layout. Nothing here
knows how a figure was measured; all of it works on files alone. Python 3.8, standard library only.
"""
