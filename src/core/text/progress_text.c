/* SPDX-License-Identifier: MIT */
/* progress_text.c - see progress_text.h. */
#include "core/text/progress_text.h"

void ply_progress_number(double number, ply_text *out)
{
    static const char *const scale[] = {"", " k", " M", " G", " T", " P", " E"};
    size_t step = 0;
    while (number >= 999.5 && step + 1 < sizeof scale / sizeof scale[0]) {
        number /= 1000;
        step++;
    }
    ply_text_format(out, "%.*f%s",
                    step == 0 || number >= 99.95 ? 0
                    : number >= 9.995            ? 1
                                                 : 2,
                    number, scale[step]);
}

static void format_duration(double seconds, ply_text *out)
{
    uint64_t whole = (uint64_t)(seconds + 0.5);
    unsigned hours = (unsigned)(whole / 3600), minutes = (unsigned)(whole / 60 % 60);
    if (hours > 0)
        ply_text_format(out, "%u:%02u:%02u", hours, minutes, (unsigned)(whole % 60));
    else
        ply_text_format(out, "%u:%02u", minutes, (unsigned)(whole % 60));
}

void ply_progress_format(const ply_progress_report *progress, ply_text *out)
{
    ply_progress_number((double)progress->units, out);
    ply_text_format(out, " %s", progress->unit);
    if (progress->seconds > 0) {
        ply_text_string(out, "  ");
        ply_progress_number((double)progress->units / progress->seconds, out);
        ply_text_string(out, "/s");
    }
    if (progress->parts_total > 0) {
        double share = (double)progress->parts_done / (double)progress->parts_total;
        ply_text_format(out, "  %.0f%%", 100 * share);
        if (progress->parts_done > 0 && progress->parts_done < progress->parts_total) {
            ply_text_string(out, "  about ");
            format_duration(progress->seconds * (1 - share) / share, out);
            ply_text_string(out, " left");
        }
    }
    if (progress->memory_bytes > 0) {
        ply_text_string(out, "  ");
        ply_progress_number((double)progress->memory_bytes, out);
        ply_text_string(out, "B");
    }
}
