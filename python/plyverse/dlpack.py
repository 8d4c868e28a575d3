# SPDX-License-Identifier: MIT
"""DLPack both ways: arrays of a batch for other frameworks, and arrays of other frameworks for a batch.

A `Tensor` is memory with a shape, a type and a device. NumPy sees memory of the CPU only; frameworks that speak DLPack
see any device.
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

from plyverse._core import ffi, lib

CPU = (1, 0)
CUDA = 2  # the kind of the device; its number follows
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
                 device: tuple[int, int] = CPU, finish: Callable[[Any], None] | None = None) -> None:
        """finish(stream): makes sure that work in a stream of the device sees what is there now."""
        self._owner, self.address, self.shape, self._finish = owner, address, shape, finish
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.device = device

    def numpy(self) -> npt.NDArray[Any]:
        """A read-only view that keeps the batch alive."""
        if self.device != CPU:
            raise BufferError("NumPy cannot read the memory of this device: use tensor(name), or read(name) for a copy")
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
        if self._finish and stream != -1:
            self._finish(stream)
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


class Borrowed:
    """An array of another framework, which stays alive as long as this does."""

    def __init__(self, source: Any, device: tuple[int, int], stream: int | None = None) -> None:
        """stream: of the device, in whose order the array will be used."""
        if not hasattr(source, "__dlpack__") or not hasattr(source, "__dlpack_device__"):
            raise TypeError(f"{type(source).__name__} does not speak DLPack")
        kind, number = (int(part) for part in source.__dlpack_device__())
        if kind != device[0] or (kind != CPU[0] and number != device[1]):
            where = "the memory of the CPU" if device[0] == CPU[0] else f"the memory of device {device}"
            raise BufferError(f"the array is not in {where}")
        capsule = source.__dlpack__() if stream is None else source.__dlpack__(stream=stream)
        if not _valid(capsule, _FRESH):
            raise BufferError("__dlpack__ returned no fresh capsule")
        managed = ffi.cast("DLManagedTensor *", _pointer(capsule, _FRESH))
        tensor = managed.dl_tensor
        self.shape = tuple(int(tensor.shape[i]) for i in range(tensor.ndim))
        self.dtype: np.dtype[Any] = np.dtype(f"{_KINDS.get(tensor.dtype.code, 'V')}{tensor.dtype.bits // 8}")
        strides, step = [0] * len(self.shape), self.dtype.itemsize
        self.contiguous = True
        for i in reversed(range(len(self.shape))):
            strides[i] = tensor.strides[i] * self.dtype.itemsize if tensor.strides else step
            self.contiguous &= strides[i] == step or self.shape[i] == 1
            step *= self.shape[i]
        if self.dtype.kind == "V" or tensor.dtype.lanes != 1 or any(stride < 0 for stride in strides):
            raise BufferError("this type or layout of array is not supported")
        self.strides = tuple(strides)
        _rename(capsule, _USED)

        def release(_: Any) -> None:
            if managed.deleter:
                managed.deleter(managed)

        self.base = ffi.gc(ffi.cast("char *", ffi.cast("char *", tensor.data) + tensor.byte_offset), release)
        self.address = int(ffi.cast("uintptr_t", self.base))


def from_dlpack(source: Any) -> npt.NDArray[Any]:
    """An array of another framework as a NumPy array without a copy; it can be written to."""
    array = Borrowed(source, CPU)
    reach = sum((n - 1) * stride for n, stride in zip(array.shape, array.strides)) + array.dtype.itemsize
    buffer = ffi.buffer(array.base, 0 if 0 in array.shape else reach)
    return np.ndarray(array.shape, array.dtype, buffer, strides=array.strides)
