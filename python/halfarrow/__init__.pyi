# SPDX-License-Identifier: GPL-3.0-or-later
from os import PathLike
from typing import Any, Mapping, Sequence
import numpy as np
import numpy.typing as npt

Number = float | int
Value = float | int | str

__version__: str

class Error(Exception):
    text: str
    file: str | None
    line: int | None
    column: int | None
    status: str

class Model:
    @property
    def values(self) -> dict[str, float]: ...
    def set(self, path: str, value: Value) -> None: ...
    def run(self, t_end: Value | None = ..., set: Mapping[str, Number] | None = ...,
            **options: Value) -> Result: ...
    def check(self) -> dict[str, Any]: ...
    def linearise(self, u: Sequence[str] | str = ..., y: Sequence[str] | str = ...,
                  **options: Value) -> Linear: ...
    def modes(self, **options: Value) -> dict[str, Any]: ...
    def statics(self, **options: Value) -> dict[str, Any]: ...
    def diagram(self, level: str = ...) -> Picture: ...

class Result:
    names: list[str]
    units: list[str]
    data: npt.NDArray[np.float64]
    peaks: dict[str, dict[str, float]]
    report: dict[str, Any]
    @property
    def t(self) -> npt.NDArray[np.float64]: ...
    @property
    def final(self) -> dict[str, float]: ...
    def __getitem__(self, name: str) -> npt.NDArray[np.float64]: ...
    def __contains__(self, name: str) -> bool: ...
    def __len__(self) -> int: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def page(self) -> Page: ...

class Linear:
    A: npt.NDArray[np.float64]
    B: npt.NDArray[np.float64]
    C: npt.NDArray[np.float64]
    D: npt.NDArray[np.float64]
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    eigenvalues: npt.NDArray[np.complex128]
    report: dict[str, Any]

class Picture:
    svg: str
    def _repr_svg_(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

class Page:
    html: str
    def _repr_html_(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> None: ...

def load(path: str | PathLike[str], variant: str | None = ...,
         set: Mapping[str, Value] | None = ...) -> Model: ...
def graph(text: str, set: Mapping[str, Value] | None = ...) -> Model: ...
