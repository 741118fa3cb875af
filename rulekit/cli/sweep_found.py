"""`sweep --want`: courses with wanted figures, found, told and written."""

from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rulekit import __version__
from rulekit.cli import sweep_table
from rulekit.cli.build_course import write
from rulekit.cli.outfile import check_place
from rulekit.cli.output import Output, Result
from rulekit.cli.progress import Progress
from rulekit.errors import BadInput
from rulekit.files.reference import lake_reference
from rulekit.files.write import CourseText
from rulekit.powerboats.box import parse_layout
from rulekit.powerboats.placing import Placed, place
from rulekit.readings import PowerboatsReadings
from rulekit.study.sweep_cell import cell_spots
from rulekit.study.sweep_engine import Engine, Task, Todo, work
from rulekit.study.sweep_figures import FIGURES
from rulekit.study.sweep_search import Found, Search, rarity
from rulekit.study.sweep_space import Cell, Space, rules_version
from rulekit.study.sweep_store import rows_of
from rulekit.study.sweep_want import Wish


def search(
    options: dict[str, Any], output: Output, space: Space, wishes: Sequence[Wish], targets: Sequence[Path],
    path: Path, engine: Engine | None,
) -> None:  # fmt: skip
    """Finds courses for the target files, writes and prints them."""
    rows = rows_of(path, "status = 'done'")
    with ExitStack() as stack:
        executor = stack.enter_context(engine.start()) if engine else None
        progress = stack.enter_context(Progress(output))
        hunt = Search(space, wishes, lambda cells: _evaluated(space, cells, executor), options["tries"])
        found: list[Found] = []
        progress.begin("looking for courses")
        for one in hunt.run(rows, options["count"]):
            found.append(one)
            progress.begin(f"{len(found)} of {options['count']} found, {hunt.tried} cells tried")
    want = ", ".join(map(str, wishes))
    told = [_written(one, target, space, want, output) for one, target in zip(found, targets, strict=False)]
    names = list(dict.fromkeys(wish.figure for wish in wishes))
    near = hunt.nearest
    more = {
        "plan": space.plan.name, "file": str(path), "want": want, "rarity": rarity(rows, wishes)._asdict(),
        "tried": hunt.tried,
        "nearest": None if near is None else {"distance": near[0], "cell": near[1]._asdict(),
                                              "figures": {name: near[2].get(name) for name in FIGURES}},
    }  # fmt: skip
    output.emit(Result("sweep", told, {}, space.plan.seed, more,
                       table=lambda: sweep_table.found(more, told, names)))  # fmt: skip


def targets_of(options: dict[str, Any], output: Output) -> list[Path]:
    """The files of the courses; raises BadInput and FileExists before any work where they cannot be written."""
    folder = Path(options["courses"] or ".")
    if not folder.is_dir():
        raise BadInput(f"--courses {folder}: there is no such folder, make it first")
    stem = "course" if options["plan"] == "-" else Path(options["plan"]).stem
    targets = [folder / f"{stem}-found-{number}.toml" for number in range(1, options["count"] + 1)]
    for target in targets:
        check_place(target, output.overwrite)
    return targets


def _evaluated(space: Space, cells: Sequence[Cell], executor: Executor | None) -> list[Mapping[str, Any] | None]:
    tasks = [_task(space, cell) for cell in cells]
    if executor is None:
        outcomes = [work(task)[0] for task in tasks]
    else:
        try:
            outcomes = [future.result()[0] for future in [executor.submit(work, task) for task in tasks]]
        except BrokenExecutor as fault:
            raise BadInput(f"a worker died during the search ({fault}): try again with fewer workers") from None
    return [None if one.error else one.figures for one in outcomes]


def _task(space: Space, cell: Cell) -> Task:
    text = space.lakes[cell.lake].source.text
    return Task((Todo(space.key(cell), 0, cell),), {cell.lake: text}, space.settings, rules_version())


def _written(one: Found, target: Path, space: Space, want: str, output: Output) -> dict[str, Any]:
    """Writes a course; its row."""
    cell, file = one.cell, space.lakes[one.cell.lake]
    lake, spots = cell_spots(cell, file)
    title = f"{file.lake.name}, race {cell.letter}: {want}"
    placed = place(lake, spots, title, PowerboatsReadings.parse([cell.readings]))
    assert isinstance(placed, Placed)
    reference = lake_reference(file.source, target.absolute().parent)
    made_by = f"made by rulekit {__version__}: sweep {Path(space.plan.source.path).name} --want '{want}'\n"
    made_by += f"seed {space.plan.seed}; readings {cell.readings or 'as the rules have them'}; " + _figures(one, want)
    layout = parse_layout(cell.layout.split("/")) if cell.layout else None
    text = str(CourseText(placed.course, reference.name, made_by, spots, cell.letter, layout))
    write(target, text, reference, file, output)
    figures = {name: one.figures.get(name) for name in FIGURES}
    return {"file": str(target), "origin": one.origin, "steps": one.steps, **cell._asdict(), **figures}


def _figures(one: Found, want: str) -> str:
    told = [name for name in FIGURES if name.replace("_", "-") in want.split() and one.figures.get(name) is not None]
    return ", ".join(f"{name.replace('_', '-')} {sweep_table.number(one.figures[name])}" for name in told)
