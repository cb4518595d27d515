"""The edit distance of two words."""

from __future__ import annotations


def distance(word: str, other: str, most: int) -> int:
    """Count the letters to put in, take out, change, or swap with the next one (Damerau–Levenshtein, each letter touched once);
    above `most`, the result may be `most + 1`.
    """
    if abs(len(word) - len(other)) > most:
        return most + 1
    before, last = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, its in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == its:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]
