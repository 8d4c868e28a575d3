/* SPDX-License-Identifier: MIT */
/* xml.h - text in XML. */
#ifndef PLY_CORE_TEXT_XML_H
#define PLY_CORE_TEXT_XML_H

#include <plyverse/text.h>

/* Appends text, or the value of an attribute, with the characters escaped that mean something in XML. */
void ply_xml_escape(ply_text *out, const char *text, size_t length);

#endif
