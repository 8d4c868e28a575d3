/* SPDX-License-Identifier: MIT */
/* test_driver.c - devices, memory, copies and launches, on the emulated driver. */
#include "cuda/driver.h"
#include "cuda/emulated_kernels.h"
#include "support/support.h"
#include <stdlib.h>
#include <string.h>

static ply_cuda *open_device(void)
{
    ply_cuda *cuda;
    ply_error error;
    if (ply_cuda_open(&cuda, 0, NULL, &error) != PLY_OK)
        fail_msg("%s", error.message);
    return cuda;
}

static void test_memory_and_launch(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    ply_cuda *cuda = open_device();
    uint64_t numbers[COUNT], sum = 0, available, total, after;
    void *device_numbers, *device_sum, *copy;
    ply_error error;
    assert_string_equal(ply_cuda_name(cuda), "Emulated Device");
    assert_int_equal(ply_cuda_device(cuda), 0);
    assert_int_equal(ply_cuda_processors(cuda), 1);
    assert_non_null(ply_cuda_stream(cuda));
    assert_int_equal(ply_cuda_memory(cuda, &available, &total, &error), PLY_OK);
    assert_int_equal(ply_cuda_alloc(cuda, &device_numbers, sizeof numbers, &error), PLY_OK);
    assert_int_equal(ply_cuda_alloc(cuda, &device_sum, sizeof sum, &error), PLY_OK);
    assert_int_equal(ply_cuda_alloc(cuda, &copy, sizeof numbers, &error), PLY_OK);
    assert_int_equal(ply_cuda_memory(cuda, &after, &total, &error), PLY_OK);
    assert_int_equal(available - after, 2 * sizeof numbers + sizeof sum);
    for (uint64_t i = 0; i < COUNT; i++)
        numbers[i] = i;
    ply_cuda_kernel *kernel;
    const emulated_args args = {
        .numbers = device_numbers, .sum = device_sum, .count = COUNT, .factor = 3};
    assert_int_equal(ply_cuda_find(cuda, "emulated", "emulated_multiply", &kernel, &error), PLY_OK);
    assert_int_equal(ply_cuda_write(cuda, device_numbers, numbers, sizeof numbers, &error), PLY_OK);
    assert_int_equal(ply_cuda_fill(cuda, device_sum, 0, sizeof sum, &error), PLY_OK);
    assert_int_equal(ply_cuda_mark(cuda, 0, &error), PLY_OK);
    assert_int_equal(ply_cuda_launch_for(cuda, kernel, COUNT, 256, &args, &error), PLY_OK);
    assert_int_equal(ply_cuda_mark(cuda, 1, &error), PLY_OK);
    double seconds;
    assert_int_equal(ply_cuda_elapsed(cuda, &seconds, &error), PLY_OK);
    assert_true(seconds > 0);
    assert_int_equal(ply_cuda_copy(cuda, copy, device_numbers, sizeof numbers, &error), PLY_OK);
    ply_cuda_free(cuda, device_numbers);
    assert_int_equal(ply_cuda_read(cuda, numbers, copy, sizeof numbers, &error), PLY_OK);
    assert_int_equal(ply_cuda_read(cuda, &sum, device_sum, sizeof sum, &error), PLY_OK);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_int_equal(numbers[i], 3 * i);
    assert_int_equal(sum, 3 * COUNT * (COUNT - 1) / 2);
    ply_cuda_close(cuda); /* frees the rest */
    cuda = open_device();
    assert_int_equal(ply_cuda_memory(cuda, &after, &total, &error), PLY_OK);
    assert_int_equal(after, available);
    ply_cuda_close(cuda);
}

static void expect_open(const char *mode, int device, ply_status status, const char *message)
{
    ply_cuda *cuda;
    ply_error error;
    setenv("PLY_EMULATED_CUDA", mode, 1);
    assert_int_equal(ply_cuda_open(&cuda, device, NULL, &error), status);
    unsetenv("PLY_EMULATED_CUDA");
    assert_null(cuda);
    assert_string_equal(error.message, message);
}

static void test_failures_say_why(void **state)
{
    (void)state;
    ply_error error;
    expect_open("no-device", 0, PLY_UNSUPPORTED, "cuda: this machine has no CUDA device");
    expect_open("", 1, PLY_UNSUPPORTED, "cuda: there is no device 1; this machine has 1");
    expect_open("", -1, PLY_UNSUPPORTED, "cuda: there is no device -1; this machine has 1");
    if (ply_cuda_built_version()) {
        char message[128];
        snprintf(message, sizeof message,
                 "cuda: the NVIDIA driver is too old: it supports CUDA 1.0, and this build needs "
                 "%d.0",
                 ply_cuda_built_version() / 1000);
        expect_open("old", 0, PLY_UNSUPPORTED, message);
    }
    ply_cuda *cuda = open_device();
    ply_cuda_kernel *kernel;
    setenv("PLY_EMULATED_CUDA", "no-code", 1);
    assert_int_equal(ply_cuda_find(cuda, "emulated", "emulated_multiply", &kernel, &error),
                     PLY_UNSUPPORTED);
    unsetenv("PLY_EMULATED_CUDA");
    assert_string_equal(error.message, "cuda: this build has no code for Emulated Device (compute "
                                       "capability 1.1); see PLYVERSE_CUDA_ARCH in docs/cuda.md");
    assert_int_equal(ply_cuda_find(cuda, "emulated", "emulated_nothing", &kernel, &error),
                     PLY_UNSUPPORTED);
    assert_string_equal(error.message,
                        "cuda: emulated_nothing: named symbol not found (error 500)");
    void *memory;
    setenv("PLY_EMULATED_CUDA", "small", 1);
    assert_int_equal(ply_cuda_alloc(cuda, &memory, 3 << 20, &error), PLY_NO_MEMORY);
    unsetenv("PLY_EMULATED_CUDA");
    assert_null(memory);
    assert_string_equal(error.message,
                        "cuda: out of memory: 4 MiB more needed, 1 MiB free on Emulated Device");
    ply_cuda_close(cuda);
    ply_cuda_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_and_launch),
        cmocka_unit_test(test_failures_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
