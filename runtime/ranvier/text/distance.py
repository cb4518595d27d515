"""The edit distance of two words."""

from __future__ import annotations


def distance(word: str, other: str, limit: int) -> int:
    """Count the insertions, deletions, substitutions and swaps of neighbours that turn one word into the other (optimal string
    alignment). Above `limit`, the result may be `limit + 1`.
    """
    if abs(len(word) - len(other)) > limit:
        return limit + 1
    previous_row, row_above = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, other_letter in enumerate(other, 1):
            cost = min(row_above[j] + 1, row[j - 1] + 1, row_above[j - 1] + (letter != other_letter))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == other_letter:
                cost = min(cost, previous_row[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        previous_row, row_above = row_above, row
    return row_above[-1]
