/* endings.c - see endings.h. */
#include "games/checkers/endings.h"

bool checkers_ending_is_drawn(const ply_rules *rules, const checkers_position *p,
                              const checkers_record *records, size_t plies)
{
    (void)rules;
    (void)p;
    (void)records;
    (void)plies;
    return false;
}
