/* SPDX-License-Identifier: MIT */
/*
 * fived_widths.h - the widths of the four fields of a fived_vec4, in bits.
 *
 * In the source tree these are the defaults. A build uses and installs a copy with the widths it was
 * configured with (cmake -DPLYVERSE_VEC4_BITS=x,y,t,l), so the installed headers always agree with
 * the installed library.
 */
#ifndef PLYVERSE_FIVED_WIDTHS_H
#define PLYVERSE_FIVED_WIDTHS_H

#define FIVED_X_BITS 4
#define FIVED_Y_BITS 4
#define FIVED_T_BITS 12
#define FIVED_L_BITS 12

#endif
