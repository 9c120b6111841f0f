"""Builds the E5 encoder as an ONNX model with 8-bit weights, for ONNX Runtime.

Twelve BERT layers out of ONNX Runtime's fused operators (`com.microsoft`): each matrix product
quantises its input as it comes (one scale a call, so a text is run by itself and its vector does
not depend on its neighbours) and has one scale an output column. Input `embedded` (1, tokens,
384): the sums of word, position and type vectors; outputs `pooled` (1, 384): the mean over the
tokens, not yet of unit length, and `tokens` (1, tokens, 384): what it is the mean of.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .e5_weights import Floats, Weights

INPUT, OUTPUT, TOKENS = "embedded", "pooled", "tokens"
_FUSED = "com.microsoft"
_OPSETS = (("", 18), (_FUSED, 1))
_IR_VERSION = 9


def build_model(weights: Weights) -> bytes:
    """The serialised model, about 22 MB."""
    return _Builder(weights).build()


class _Builder:
    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._tensors: list[Any] = []

    def build(self) -> bytes:
        from onnx import TensorProto, helper

        weights = self._weights
        values = [self._floats("emb.ln.w"), self._floats("emb.ln.b")]
        x = self._node(
            "LayerNormalization", [INPUT, *values], "x", domain="", epsilon=weights.epsilon, axis=-1
        )
        for number in range(weights.layers):
            out = TOKENS if number == weights.layers - 1 else f"l{number}.out"
            x = self._layer(f"l{number}.", x, out)
        axis = self._tensor("axis", np.array([1], dtype=np.int64))
        self._node("ReduceMean", [x, axis], OUTPUT, domain="", keepdims=0)
        kind = TensorProto.FLOAT
        shape: list[str | int | None] = [1, "tokens", weights.hidden]
        graph = helper.make_graph(
            self._nodes,
            "e5",
            [helper.make_tensor_value_info(INPUT, kind, shape)],
            [
                helper.make_tensor_value_info(OUTPUT, kind, [1, weights.hidden]),
                helper.make_tensor_value_info(TOKENS, kind, shape),
            ],
            self._tensors,
        )
        opsets = [helper.make_opsetid(*opset) for opset in _OPSETS]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION)
        return bytes(model.SerializeToString())

    def _layer(self, name: str, x: str, out: str) -> str:
        hidden, inner = self._weights.hidden, self._weights.inner
        joined = self._linear(f"{name}qkv", x, [f"{name}{part}" for part in "qkv"], hidden)
        sizes = self._tensor(f"{name}sizes", np.array([hidden] * 3, dtype=np.int64))
        parts = [f"{name}query", f"{name}key", f"{name}value"]
        self._node("Split", [joined, sizes], *parts, domain="", axis=-1)
        seen = self._node("MultiHeadAttention", parts, f"{name}seen", num_heads=self._weights.heads)
        seen = self._linear(f"{name}mixed", seen, [f"{name}ao"], hidden)
        x = self._add_norm(f"{name}mid", seen, x, f"{name}aln")
        wide = self._linear(f"{name}wide", x, [f"{name}fi"], hidden)
        wide = self._node("Gelu", [wide], f"{name}gelu")
        narrow = self._linear(f"{name}narrow", wide, [f"{name}fo"], inner)
        return self._add_norm(out, narrow, x, f"{name}oln")

    def _linear(self, out: str, x: str, names: Sequence[str], columns: int) -> str:
        """`x` times the matrices of `names` side by side, plus their biases."""
        matrix = np.concatenate([self._weights.matrix(f"{n}.w", columns) for n in names]).T
        scales = np.maximum(np.abs(matrix).max(axis=0) / 127.0, 1e-12).astype(np.float32)
        whole = np.clip(np.rint(matrix / scales), -127, 127).astype(np.int8)
        bias = np.concatenate([self._weights.floats(f"{n}.b") for n in names])
        inputs = [
            x,
            self._tensor(f"{out}.w", whole),
            self._tensor(f"{out}.scale", scales),
            "",  # symmetric: no zero point
            self._tensor(f"{out}.b", bias),
        ]
        return self._node("DynamicQuantizeMatMul", inputs, out)

    def _add_norm(self, out: str, x: str, rest: str, name: str) -> str:
        values = [self._floats(f"{name}.w"), self._floats(f"{name}.b")]
        return self._node(
            "SkipLayerNormalization", [x, rest, *values], out, epsilon=self._weights.epsilon
        )

    def _floats(self, name: str) -> str:
        return self._tensor(name, self._weights.floats(name))

    def _tensor(self, name: str, values: "Floats | np.ndarray[Any, Any]") -> str:
        from onnx import numpy_helper

        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(
        self, kind: str, inputs: Sequence[str], *outputs: str, domain: str = _FUSED, **values: Any
    ) -> str:
        from onnx import helper

        self._nodes.append(
            helper.make_node(kind, list(inputs), list(outputs), domain=domain, **values)
        )
        return outputs[0]
