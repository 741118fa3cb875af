"""What each dice choice of one state is worth when the best race follows."""

from rulekit.solve.bounds import Solution, aligned, working_space
from rulekit.solve.kernel import add_dice, fix_row, throw_values
from rulekit.solve.spread import State


def choice_values(solution: Solution, state: State) -> dict[tuple[int, int], float]:
    """Expected cost of every choice (hand kept, dice rolled) of a state, this turn included.

    It is the turns until the race ends, a sunk boat counting as the solution's sink cost; infinite where no way to play
    on surely ends the race. The least of them is the state's value.
    """
    damage, progress, place, facing, hand = state
    race, sunk = solution.race, solution.sunk
    row = progress * race.hexes + place
    fixed = aligned(race.rows * race.board.slots * 8)
    table = working_space(race, 1).work[0]
    fix_row(solution.levels, damage, race.board, race.dice_tables, sunk, row, fixed)
    throw_values(solution.levels[damage], fixed, race.board, race.dice_tables, row, 1.0, table)
    add_dice(race.dice_tables, table)
    start, options = race.dice.listed_choices
    listed = options[start[hand] : start[hand + 1]]
    return {race.dice.throws.choice(int(entry)): float(table[int(entry) * 8 + facing]) for entry in listed}
