# SPDX-License-Identifier: MIT
"""Builds the extension module; everything else is in pyproject.toml."""
from setuptools import setup

setup(cffi_modules=["build_ffi.py:builder"])
