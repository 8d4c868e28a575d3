// SPDX-License-Identifier: MIT
// svg.js - creates and updates SVG elements.

const NS = 'http://www.w3.org/2000/svg';

/** Makes an SVG element with attributes and children; null children are left out. */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  set(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets attributes; null, undefined and false remove them. */
export function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(key);
    else element.setAttribute(key, value === true ? '' : value);
  }
  return element;
}

/** Replaces the children of an element; nested lists are flattened, null children left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** The path data of an arrow from a to b; width is that of the shaft. */
export function arrow(a, b, width) {
  const dx = b.x - a.x,
    dy = b.y - a.y,
    length = Math.hypot(dx, dy) || 1;
  const ux = dx / length,
    uy = dy / length,
    head = Math.min(width * 3, length * 0.6);
  const at = (along, across) => `${(a.x + ux * along - uy * across).toFixed(2)} ${(a.y + uy * along + ux * across).toFixed(2)}`;
  const neck = length - head,
    half = width / 2;
  return `M${at(0, half)}L${at(neck, half)}L${at(neck, width * 1.4)}L${at(length, 0)}L${at(neck, -width * 1.4)}L${at(neck, -half)}L${at(0, -half)}Z`;
}
