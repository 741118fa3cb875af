"""Course files as text."""

from collections.abc import Sequence
from dataclasses import dataclass

from rulekit.hexgrid import Facing, Side, hex_name
from rulekit.powerboats.box import Layout, layout_rows
from rulekit.powerboats.course import START_TILE, Course, Tile, TileKind
from rulekit.powerboats.lake import Spot
from rulekit.powerboats.tiling import Laid, LeftOut, Tiling

NO_TILES = Tiling(())


@dataclass(frozen=True)
class CourseText:
    """What a course file tells beside the course itself.

    `made_by` is the comment at the top, `lake` the shipped name or relative path, `order` the spots of buoys 0, 1, …,
    `tiling` how the course's expansion tiles lie at the spots.
    """

    course: Course
    lake: str
    made_by: str
    order: Sequence[Spot]
    spots: str
    layout: Layout | None = None
    tiling: Tiling = NO_TILES

    def __str__(self) -> str:
        """The TOML text, with arrows and crossings written out where they are settled."""
        course = self.course
        lines = [f"# {line}" for line in self.made_by.splitlines()]
        lines += ['format = "rulekit/course-1"', f"name = {quoted(course.name)}", f"lake = {quoted(self.lake)}"]
        if self.layout:
            lines.append(f"layout = [{', '.join(map(quoted, layout_rows(self.layout)))}]")
        lines += [f"spots = {quoted(self.spots)}"]
        if course.strip_length != START_TILE:
            lines.append(f"start-tile = {course.strip_length}")
        lines += ["", "[start]", f"buoy = {_spot(self.order[0])}", f'side = "{course.strip_side.name}"']
        lines += [f"start = {_side(course.start)}", f"finish = {_side(course.finish)}"]
        for number, (buoy, spot) in enumerate(zip(course.buoys, self.order[1:], strict=True), 1):
            lines += ["", "[[buoy]]", f"number = {number}", f"at = {_spot(spot)}", f"turn = {_side(buoy.arrow)}"]
        for laid in self.tiling.laid:
            lines += ["", "[[expansion]]", f"kind = {quoted(laid.tile.kind.value)}", *_place(laid), *_detail(laid.tile)]
        remarks = [f"# {remark}" for remark in tiling_remarks(self.tiling)]
        return "\n".join(lines + ([""] if remarks else []) + remarks) + "\n"


def _place(laid: Laid) -> list[str]:
    """A tile by its spot; one that lies back over the letter by hex and side."""
    if not laid.shifted:
        return [f"at = {_spot(laid.spot)}"]
    comment = f"  # back over the spot {spot_word(laid.spot)}"
    return [f'hex = "{hex_name(laid.spot.at)}"{comment}', f'side = "{laid.spot.side.steer(3).name}"']


def _detail(tile: Tile) -> list[str]:
    """What a tile's hexes do; one word where they all do the same."""
    if tile.kind is TileKind.LOW_WATER:
        return [f"rocks = {list(tile.rocks)}"]
    if tile.kind is TileKind.CURRENT:
        return [f"flow = {_one_or_each([Facing(flow).name for flow in tile.flow])}"]
    if tile.kind is TileKind.MAELSTROM:
        return [f"spin = {_one_or_each([spin.word for spin in tile.spin])}"]
    return []


def _one_or_each(words: Sequence[str]) -> str:
    return quoted(words[0]) if len(set(words)) == 1 else f"[{', '.join(map(quoted, words))}]"


def tiling_remarks(tiling: Tiling) -> list[str]:
    """Sentences about the tiles without a place and the free spots without a tile."""
    spots = [_spot_and_hex(spot) for spot in tiling.empty]
    many = f"the spots {', '.join(spots)} stay" if len(spots) > 1 else f"the spot {''.join(spots)} stays"
    more = [f"{many} empty: there are more free spots than tiles (X1-2)"] if spots else []
    return [*map(_left_out, tiling.left_out), *more]


def _left_out(one: LeftOut) -> str:
    where = f" of the spot {_spot_and_hex(one.spot)}" if one.spot else ""
    return f"the {one.kind.value} tile{where} is left out: {one.reason}"


def _spot_and_hex(spot: Spot) -> str:
    return spot_word(spot) + ("" if spot.tile is None else f" ({hex_name(spot.at)})")


def spot_word(spot: Spot) -> str:
    """A spot's name as a file takes it: `@3A`, or its hex on a lake without tiles."""
    return hex_name(spot.at) if spot.tile is None else f"@{spot.tile}{spot.letter}"


def _spot(spot: Spot) -> str:
    """A spot's name as a TOML value, with its hex as a comment where it is told by tile."""
    comment = "" if spot.tile is None else f"  # {hex_name(spot.at)}"
    return quoted(spot_word(spot)) + comment


def _side(side: Side | None) -> str:
    return quoted("auto" if side is None else side.word)


def quoted(text: str) -> str:
    """A text as a TOML basic string.

    >>> print(quoted('say "hi"'))
    "say \\"hi\\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def commented(text: str, comment: str) -> str:
    """A file's text with a comment line at its top."""
    return "".join(f"# {line}\n" for line in comment.splitlines()) + text
