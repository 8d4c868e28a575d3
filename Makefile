# SPDX-License-Identifier: MIT
# A thin front for CMake. `make` builds build/plyverse.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SOURCES = $(shell git ls-files -co --exclude-standard '*.c' '*.h')

all:
	@cmake -B build >/dev/null
	@cmake --build build -j $(JOBS) --target ply_product

bench: all
	bench/run

install: all
	cmake --install build --prefix $(PREFIX)

format:
	clang-format -i $(SOURCES)

lint:
	tools/lint

clean:
	rm -rf build build-*

.PHONY: all bench install format lint clean
