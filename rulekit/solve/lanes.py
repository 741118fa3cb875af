"""Eight numbers side by side: one SIMD value for the six facings of a hex (and two unused lanes).

LLVM's loop vectoriser cannot know that the rows of one scratch table never overlap, so the sweeps say outright which
arithmetic is done side by side. On a machine without 512-bit registers LLVM splits each operation; results are equal.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, register_model

LANES = 8
FACINGS = 6
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_INDICES = ir.VectorType(ir.IntType(64), LANES)


class LanesType(types.Type):
    """Numba's type of eight floats side by side."""

    def __init__(self) -> None:
        super().__init__(name="rulekit_lanes")


def _model(manager: Any, lanes: Any) -> Any:
    model: Any = PrimitiveModel
    return model(manager, lanes, _VECTOR)


register_model(LanesType)(_model)
lanes = LanesType()


def _data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    proxy: Any = cgutils.create_struct_proxy
    return proxy(array_type)(context, builder, value=array).data


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """The address of the index-th group of eight numbers of a flat array."""
    start = builder.mul(index, ir.Constant(index.type, LANES))
    return builder.gep(_data(context, builder, array_type, array), [start])


def _vector_pointer(builder: Any, address: Any, element: Any) -> Any:
    return builder.bitcast(address, ir.VectorType(element, LANES).as_pointer())


def _load(_typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _place(context, builder, signature.args[0], *arguments)
        return builder.load(_vector_pointer(builder, address, ir.DoubleType()), align=8)

    return lanes(array, types.int64), generate


def _store(_typing: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _place(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], _vector_pointer(builder, address, ir.DoubleType()), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), generate


def _splat(builder: Any, number: Any, vector: Any) -> Any:
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)


def _fill(_typing: Any, number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _splat(builder, arguments[0], _VECTOR)

    return lanes(types.float64), generate


def _add(_typing: Any, left: Any, right: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return lanes(lanes, lanes), generate


def _scale(_typing: Any, left: Any, right: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.fmul(*arguments)

    return lanes(lanes, lanes), generate


def _least(_typing: Any, left: Any, right: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered("<", *arguments), *arguments)

    return lanes(lanes, lanes), generate


def _greatest(_typing: Any, left: Any, right: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return lanes(lanes, lanes), generate


def _rise(_typing: Any, new: Any, old: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        equal = builder.fcmp_ordered("==", *arguments)
        return builder.select(equal, ir.Constant(_VECTOR, [0.0] * LANES), builder.fsub(*arguments))

    return lanes(lanes, lanes), generate


def _marked(_typing: Any, _value: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        zero, minus_one = (ir.Constant(_VECTOR, [number] * LANES) for number in (0.0, -1.0))
        return builder.select(builder.fcmp_ordered("<", arguments[0], zero), minus_one, arguments[0])

    return lanes(lanes), generate


def _extreme(sign: str) -> Any:
    def typed(_typing: Any, _value: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            parts = [builder.extract_element(arguments[0], ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)]
            best = parts[0]
            for part in parts[1:]:
                best = builder.select(builder.fcmp_ordered(sign, best, part), best, part)
            return best

        return types.float64(lanes), generate

    return typed


def _best_neighbour(_typing: Any, value: Any) -> Any:
    def turned(builder: Any, vector: Any, by: int) -> Any:
        order = [(lane + by) % FACINGS for lane in range(FACINGS)] + list(range(FACINGS, LANES))
        mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), order)
        return builder.shuffle_vector(vector, ir.Constant(_VECTOR, ir.Undefined), mask)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        best = arguments[0]
        for by in (1, -1):
            other = turned(builder, arguments[0], by)
            best = builder.select(builder.fcmp_ordered("<", best, other), best, other)
        return best

    return lanes(lanes), generate


def _gather(_typing: Any, array: Any, cells: Any, index: Any, shift: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, cells, index, shift = arguments
        address = _place(context, builder, signature.args[1], cells, index)
        base = builder.load(_vector_pointer(builder, address, ir.IntType(32)), align=4)
        data = builder.gep(_data(context, builder, signature.args[0], array), [shift])
        result = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            place = ir.Constant(ir.IntType(32), lane)
            cell = builder.sext(builder.extract_element(base, place), ir.IntType(64))
            result = builder.insert_element(result, builder.load(builder.gep(data, [cell])), place)
        return result

    return lanes(array, cells, types.int64, types.int64), generate


load: Any = intrinsic(_load)
"""load(array, i): the i-th group of eight of a flat float array."""
store: Any = intrinsic(_store)
"""store(array, i, value): writes the i-th group of eight."""
fill: Any = intrinsic(_fill)
"""fill(x): x in all lanes."""
add: Any = intrinsic(_add)
"""add(a, b): sums, lane by lane."""
scale: Any = intrinsic(_scale)
"""scale(a, b): products, lane by lane."""
least: Any = intrinsic(_least)
"""least(a, b): the smaller ones, lane by lane."""
greatest: Any = intrinsic(_greatest)
"""greatest(a, b): the larger ones, lane by lane."""
rise: Any = intrinsic(_rise)
"""rise(new, old): new − old, 0 where both are equal (two infinities too)."""
marked: Any = intrinsic(_marked)
"""marked(a): −1 where a is below 0, a elsewhere."""
highest: Any = intrinsic(_extreme(">"))
"""highest(a): the largest of the eight."""
lowest: Any = intrinsic(_extreme("<"))
"""lowest(a): the smallest of the eight."""
best_neighbour: Any = intrinsic(_best_neighbour)
"""best_neighbour(a): in lane f the least of the lanes f − 1, f, f + 1 of the six facings, in a circle."""
gather: Any = intrinsic(_gather)
"""gather(array, cells, i, shift): array[cells[8·i + lane] + shift] in each lane; cells is int32."""
