/** Builds elements from attributes and text nodes only, so that values cannot become markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an element with attributes and children. `true` sets an empty attribute; `false`, `null` and `undefined` set none.
 * Its classes are also its part names, by which a page styles it, unless there is a `part`.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.setAttribute("part", String(attributes.part ?? value));
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/**
 * Create a decorative 20 × 20 line icon, drawn in the colour of the text.
 *
 * @param {string} path
 */
export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  const line = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  svg.setAttribute("part", "icon");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** A magnifying glass. */
export const GLASS = "M8.5 14.5a6 6 0 1 0 0-12 6 6 0 0 0 0 12Zm4.3-1.7L17.5 17.5";

/** A sheet of paper: a page. */
export const PAGE = "M5 2h6l4 4v12H5ZM11 2v4h4";

/** A number sign: a section. */
export const SECTION = "M8 3 6 17M14 3l-2 14M4 7.5h13M3 12.5h13";

/** A tag. */
export const TAG = "M3 3h7l7 7-7 7-7-7ZM7 7h.01";

/** A cross. */
export const CROSS = "M5 5l10 10M15 5L5 15";
