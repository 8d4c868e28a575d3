/* SPDX-License-Identifier: MIT */
/* device.h - where work is done: options of batches and perft name a device (docs/cuda.md). */
#ifndef PLYVERSE_DEVICE_H
#define PLYVERSE_DEVICE_H

typedef enum ply_device {
    PLY_DEVICE_CPU,
    PLY_DEVICE_CUDA, /* an NVIDIA GPU */
} ply_device;

#endif
