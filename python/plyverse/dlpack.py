# SPDX-License-Identifier: MIT
"""DLPack both ways: arrays of a batch for other frameworks, and arrays of other frameworks for a batch.

A `Tensor` is memory with a shape, a type and a device. NumPy sees memory of the CPU only; frameworks that speak DLPack
see any device.
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from plyverse._core import ffi, lib

CPU = (1, 0)
_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_valid = ctypes.pythonapi.PyCapsule_IsValid
_valid.restype, _valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_rename = ctypes.pythonapi.PyCapsule_SetName
_rename.restype, _rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]

_FRESH, _USED = b"dltensor", b"used_dltensor"  # a capsule keeps the address of its name
_exported: dict[int, Any] = {}  # what a consumer of a capsule still uses


@ffi.def_extern()
def plypy_tensor_free(tensor: Any) -> None:
    _exported.pop(int(ffi.cast("uintptr_t", tensor)), None)


class Tensor:
    """Memory of a batch, to be read only, for any framework that speaks DLPack: `torch.from_dlpack(tensor)`."""

    def __init__(self, owner: object, address: int, shape: tuple[int, ...], dtype: npt.DTypeLike,
                 device: tuple[int, int] = CPU) -> None:
        self._owner, self.address, self.shape = owner, address, shape
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.device = device

    def numpy(self) -> npt.NDArray[Any]:
        """A read-only view that keeps the batch alive."""
        if self.device != CPU:
            raise BufferError("NumPy cannot read the memory of this device")
        size = int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize
        owner = self._owner
        kept = ffi.gc(ffi.cast("char *", self.address), lambda _, owner=owner: None)
        return np.frombuffer(memoryview(ffi.buffer(kept, size)).toreadonly(), self.dtype).reshape(self.shape)

    def __array__(self, dtype: npt.DTypeLike = None) -> npt.NDArray[Any]:
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        if self.device == CPU and stream not in (None, -1):
            raise BufferError("memory of the CPU has no streams")
        managed = ffi.new("DLManagedTensor *")
        shape = ffi.new("int64_t[]", list(self.shape))
        tensor = managed.dl_tensor
        tensor.data = ffi.cast("void *", self.address)
        tensor.device = {"device_type": self.device[0], "device_id": self.device[1]}
        tensor.ndim, tensor.shape = len(self.shape), shape
        tensor.dtype = {"code": _CODES[self.dtype.kind], "bits": 8 * self.dtype.itemsize, "lanes": 1}
        managed.deleter = lib.plypy_tensor_free
        address = int(ffi.cast("uintptr_t", managed))
        _exported[address] = (managed, shape, self._owner)
        return _new(address, _FRESH, int(ffi.cast("uintptr_t", ffi.addressof(lib, "plypy_capsule_free"))))

    def __repr__(self) -> str:
        return f"<Tensor {self.dtype} {self.shape} on device {self.device}>"


def from_dlpack(source: Any) -> npt.NDArray[Any]:
    """An array of another framework as a NumPy array without a copy; it can be written to."""
    if not hasattr(source, "__dlpack__") or not hasattr(source, "__dlpack_device__"):
        raise TypeError(f"{type(source).__name__} does not speak DLPack")
    if tuple(source.__dlpack_device__())[0] != CPU[0]:
        raise BufferError("the array is not in the memory of the CPU")
    capsule = source.__dlpack__()
    if not _valid(capsule, _FRESH):
        raise BufferError("__dlpack__ returned no fresh capsule")
    managed = ffi.cast("DLManagedTensor *", _pointer(capsule, _FRESH))
    tensor = managed.dl_tensor
    shape = [tensor.shape[i] for i in range(tensor.ndim)]
    dtype = np.dtype(f"{_KINDS.get(tensor.dtype.code, 'V')}{tensor.dtype.bits // 8}")
    strides, step = [0] * len(shape), dtype.itemsize
    for i in reversed(range(len(shape))):
        strides[i] = tensor.strides[i] * dtype.itemsize if tensor.strides else step
        step *= shape[i]
    if dtype.kind == "V" or tensor.dtype.lanes != 1 or any(stride < 0 for stride in strides):
        raise BufferError("this type or layout of array is not supported")
    extent = 0 if 0 in shape else sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize
    _rename(capsule, _USED)

    def release(_: Any) -> None:
        if managed.deleter:
            managed.deleter(managed)

    base = ffi.gc(ffi.cast("char *", ffi.cast("char *", tensor.data) + tensor.byte_offset), release)
    return np.ndarray(shape, dtype, ffi.buffer(base, extent), strides=strides)
