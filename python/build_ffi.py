# SPDX-License-Identifier: MIT
"""Makes the extension module plyverse._plyverse: the C library behind cffi.

The declarations are read from the public headers, so there is one description of the interface:

    headers --cc -E--> one text --without inline functions--> cdef

Usage: build_ffi.py [--build FOLDER] [--output FOLDER]. FOLDER is a build of Plyverse; without one, pkg-config says
where Plyverse is installed. setup.py and CMake call it.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

import cffi

HERE = os.path.dirname(os.path.abspath(__file__))

# Our own few lines of C: interrupts, and capsules for DLPack. The first part is declared to Python as well.
SHIM_TYPES = """
typedef enum plypy_kind { PLYPY_SEARCHER, PLYPY_SOLVER, PLYPY_PLAYER, PLYPY_PROGRESS, PLYPY_FLAG } plypy_kind;
typedef struct DLDevice { int32_t device_type; int32_t device_id; } DLDevice;
typedef struct DLDataType { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
typedef struct DLTensor {
    void *data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t *shape; int64_t *strides;
    uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
    DLTensor dl_tensor; void *manager_ctx; void (*deleter)(struct DLManagedTensor *);
} DLManagedTensor;
"""
SHIM_FUNCTIONS = """
bool plypy_guard(plypy_kind kind, void *job);
void plypy_unguard(void);
void plypy_capsule_free(void *capsule);
"""
SHIM_CALLBACKS = """
extern "Python" {
    void plypy_on_search(void *, const ply_search_report *);
    void plypy_on_solve(void *, const ply_solve_report *);
    void plypy_on_slice(void *, const char *, uint64_t, double);
    void plypy_evaluate(void *, ply_search_leaf *, size_t);
    void plypy_tensor_free(DLManagedTensor *);
}
"""
SHIM_SOURCE = """
#include <signal.h>
#include <string.h>

/* While a job runs on the main thread, ctrl-C stops it and then does what it did before: Python's own
 * handler notes the signal, and KeyboardInterrupt is raised as soon as the job has returned. */
static struct { plypy_kind kind; void *volatile job; struct sigaction before; } plypy_guarded;

static void plypy_on_interrupt(int number)
{
    void *job = plypy_guarded.job;
    if (job) {
        switch (plypy_guarded.kind) {
        case PLYPY_SEARCHER: ply_searcher_stop(job); break;
        case PLYPY_SOLVER: ply_solver_stop(job); break;
        case PLYPY_PLAYER: ply_player_stop(job); break;
        case PLYPY_PROGRESS: ply_progress_stop(job); break;
        case PLYPY_FLAG: *(volatile bool *)job = true; break;
        }
    }
    plypy_guarded.before.sa_handler(number);
}

/* False, and nothing changes, where someone else looks after the signal. */
static bool plypy_guard(plypy_kind kind, void *job)
{
    struct sigaction ours;
    if (plypy_guarded.job || sigaction(SIGINT, NULL, &plypy_guarded.before) != 0)
        return false;
    if ((plypy_guarded.before.sa_flags & SA_SIGINFO) || plypy_guarded.before.sa_handler == SIG_DFL ||
        plypy_guarded.before.sa_handler == SIG_IGN)
        return false;
    plypy_guarded.kind = kind;
    plypy_guarded.job = job;
    memset(&ours, 0, sizeof ours);
    ours.sa_handler = plypy_on_interrupt;
    sigemptyset(&ours.sa_mask);
    if (sigaction(SIGINT, &ours, NULL) == 0)
        return true;
    plypy_guarded.job = NULL;
    return false;
}

static void plypy_unguard(void)
{
    sigaction(SIGINT, &plypy_guarded.before, NULL);
    plypy_guarded.job = NULL;
}

/* The destructor of a capsule that nobody has consumed. */
static void plypy_capsule_free(void *capsule)
{
    PyObject *object = capsule;
    if (PyCapsule_IsValid(object, "dltensor")) {
        DLManagedTensor *tensor = PyCapsule_GetPointer(object, "dltensor");
        tensor->deleter(tensor);
    }
}
"""


def without_bodies(text):
    """Removes inline functions: they are not needed, and cffi reads declarations only."""
    out, at = [], 0
    for match in re.finditer(r"^static inline\b[^;{]*\{", text, re.M):
        if match.start() < at:
            continue
        out.append(text[at:match.start()])
        depth, at = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
    return "".join(out) + text[at:]


def declarations(compiler, includes):
    """The text for cffi: the types, functions and whole numbers of the public headers."""
    with tempfile.TemporaryDirectory() as work:
        for name in ("stddef.h", "stdint.h", "stdbool.h"):  # cffi knows what these declare
            open(os.path.join(work, name), "w").close()
        source = os.path.join(work, "all.h")
        with open(source, "w") as file:
            file.write("#include <plyverse/plyverse.h>\n")
        base = [*compiler, "-E", "-P", "-nostdinc", "-I", work, *(f"-I{folder}" for folder in includes),
                "-D__attribute__(x)=", "-UNDEBUG"]
        text = subprocess.run([*base, source], check=True, capture_output=True, text=True).stdout
        macros = subprocess.run([*base, "-dM", source], check=True, capture_output=True, text=True).stdout
    numbers = re.findall(r"^#define (PLY_[A-Z0-9_]+) (?:[-(]?[0-9][0-9a-fx()<+* ]*|U?INT[0-9]+_MAX|SIZE_MAX)$", macros, re.M)
    return without_bodies(text) + "".join(f"#define {name} ...\n" for name in sorted(numbers))


def make(compiler, includes, link):
    """The ffi builder; link: arguments for the linker. A library that has changed since is linked again."""
    ffi = cffi.FFI()
    ffi.cdef(declarations(compiler, includes) + SHIM_TYPES + SHIM_FUNCTIONS + SHIM_CALLBACKS)
    ffi.set_source("plyverse._plyverse", "#include <plyverse/plyverse.h>\n" + SHIM_TYPES + SHIM_SOURCE,
                   include_dirs=includes, extra_link_args=link, depends=[word for word in link if os.path.exists(word)])
    return ffi


def settings(build):
    """Where the headers are and what to link with: (includes, link)."""
    if build:
        build = os.path.abspath(build)
        link = [os.path.join(build, "libplyverse.a"), "-lm", "-lpthread"]
        with open(os.path.join(build, "plyverse.pc")) as file:
            link += [word for word in re.search(r"^Libs\.private:(.*)$", file.read() + "\nLibs.private:", re.M)[1].split()
                     if word not in link]
        return [os.path.join(build, "generated"), os.path.join(os.path.dirname(HERE), "include")], link
    ask = lambda *what: shlex.split(subprocess.run(["pkg-config", *what, "plyverse"], check=True, capture_output=True,
                                                   text=True).stdout)
    folder = subprocess.run(["pkg-config", "--variable=includedir", "plyverse"], check=True, capture_output=True,
                            text=True).stdout.strip()
    return [folder], ask("--libs")


def builder():
    """For setup.py: PLYVERSE_BUILD names a build; ../build is the usual one."""
    build = os.environ.get("PLYVERSE_BUILD") or os.path.join(HERE, "..", "build")
    return make(shlex.split(os.environ.get("CC", "cc")),
                *settings(build if os.path.exists(os.path.join(build, "libplyverse.a")) else None))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="makes plyverse._plyverse")
    parser.add_argument("--build")
    parser.add_argument("--output", default=HERE)
    args = parser.parse_args()
    ffi = make(shlex.split(os.environ.get("CC", "cc")), *settings(args.build))
    sys.stdout.write(ffi.compile(tmpdir=args.output) + "\n")
