# SPDX-License-Identifier: MIT
"""Two hosts on one machine: network namespaces, joined by a link that is slow, late and loses packets.

Each namespace has a TUN device; a thread passes packets from one to the other. Needs root. Everything is removed at the
end: the namespaces by name, the devices with the descriptors.
"""
import collections
import ctypes
import fcntl
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF, IFF_TUN_NO_PI, CLONE_NEWNET = 0x400454CA, 0x1001, 0x40000000


def _open_tun(namespace, address):
    """Opens a TUN device inside a namespace and configures it; returns its descriptor."""
    result = []

    def inside():  # setns concerns the calling thread alone
        descriptor = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(descriptor, CLONE_NEWNET) != 0:
            result.append(OSError(ctypes.get_errno(), "setns"))
            return
        os.close(descriptor)
        tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", b"link0", IFF_TUN_NO_PI))
        result.append(tun)

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    if isinstance(result[0], OSError):
        raise result[0]
    for command in ("link set lo up", f"addr add {address}/24 dev link0", "link set link0 up"):
        subprocess.run(["ip", "-n", namespace, *command.split()], check=True)
    return result[0]


class SlowLink:
    """with SlowLink(...) as link: link.namespaces and link.addresses name the two hosts."""

    def __init__(self, bytes_per_second=5_000_000, delay=0.001, loss=0.001, seed=1):
        self.rate, self.delay, self.loss = bytes_per_second, delay, loss
        self.random = random.Random(seed)
        self.namespaces = [f"ply{os.getpid()}-{i}" for i in range(2)]
        self.addresses = ["10.77.0.1", "10.77.0.2"]
        self.packets = self.lost = self.bytes = 0

    def __enter__(self):
        self.tuns, self.ending = [], False
        for namespace, address in zip(self.namespaces, self.addresses):
            subprocess.run(["ip", "netns", "add", namespace], check=True)
            self.tuns.append(_open_tun(namespace, address))
        self.thread = threading.Thread(target=self._relay)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending = True
        self.thread.join()
        for tun in self.tuns:
            os.close(tun)
        for namespace in self.namespaces:
            subprocess.run(["ip", "netns", "del", namespace], check=False)

    def _relay(self):
        queues = [collections.deque(), collections.deque()]  # (when, packet) towards host 0 and 1
        free = [0.0, 0.0]  # when the link has sent what is queued
        while not self.ending:
            now = time.monotonic()
            for side in range(2):
                queue = queues[side]
                while queue and queue[0][0] <= now:
                    try:
                        os.write(self.tuns[side], queue.popleft()[1])
                    except OSError:
                        pass  # the device is full or going away: one more packet is lost
            due = min((queue[0][0] for queue in queues if queue), default=now + 0.05)
            readable, _, _ = select.select(self.tuns, [], [], max(0.0, min(due - now, 0.05)))
            for tun in readable:
                side = 1 - self.tuns.index(tun)
                for _ in range(64):
                    try:
                        packet = os.read(tun, 65536)
                    except BlockingIOError:
                        break
                    self.packets += 1
                    self.bytes += len(packet)
                    if self.random.random() < self.loss:
                        self.lost += 1
                        continue
                    start = max(free[side], time.monotonic())
                    free[side] = start + len(packet) / self.rate
                    queues[side].append((free[side] + self.delay, packet))
