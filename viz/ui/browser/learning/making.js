// Elements of course and quiz: server texts, pictures, tables, buttons.

import { element } from "../maps/mosaic.js";

/**
 * An element with text that the server made HTML of.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Markup} markup
 */
export function textIn(tag, markup) {
  const made = element(tag);
  made.innerHTML = markup;
  return made;
}

/**
 * A heading of a paragraph, and the paragraph.
 * @param {string} heading
 * @param {Markup} markup
 */
export function remark(heading, markup) {
  const made = element("p");
  made.append(element("strong", "", heading), " ", textIn("span", markup));
  return made;
}

/**
 * @param {DescribedPicture} drawn
 * @param {"figure" | "span"} [tag] - in a button it is no figure
 */
export function pictureOf({ png, text, title, width, height }, tag = "figure") {
  const figure = element(tag, "lg-picture");
  const image = element("img", width ? "lg-exact" : "lg-figure");
  Object.assign(image, { alt: text, src: `data:image/png;base64,${png}` });
  if (width) image.style.width = `${width}px`;
  if (height) image.style.height = `${height}px`;
  figure.append(image);
  if (title) figure.append(element("figcaption", "", title));
  return figure;
}

/**
 * Numbers in rows, each on a colour of its sign; screen readers hear them as one picture.
 * @param {readonly (readonly string[])[]} rows
 */
export function numbersOf(rows) {
  const made = element("span", "lg-number-grid");
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", rows.map((row) => row.join(", ")).join("; "));
  made.style.gridTemplateColumns = `repeat(${rows[0].length}, auto)`;
  made.append(...rows.flat().map((text) => element("span", signOf(text), text)));
  return made;
}

/** @param {string} text */
function signOf(text) {
  if (text.startsWith("−")) return "lg-below";
  return Number(text) === 0 ? "lg-zero" : "lg-above";
}

/**
 * A table; the first cell of each row is its heading.
 * @param {string[]} heads
 * @param {(string | Node)[][]} rows
 * @param {string} [caption]
 */
export function tableOf(heads, rows, caption) {
  const table = element("table", "lg-numbers");
  if (caption) table.append(element("caption", "", caption));
  const [head, body] = [element("thead"), element("tbody")];
  head.append(rowOf(heads.map((name) => heading(name, "col"))));
  body.append(...rows.map(([first, ...rest]) => rowOf([heading(first, "row"), ...rest.map(cell)])));
  table.append(head, body);
  return table;
}

/** @param {HTMLElement[]} cells */
function rowOf(cells) {
  const row = element("tr");
  row.append(...cells);
  return row;
}

/** @type {(content: string | Node, scope: string) => HTMLElement} */
function heading(content, scope) {
  const made = element("th");
  made.scope = scope;
  made.append(content);
  return made;
}

/** @type {(content: string | Node) => HTMLElement} */
function cell(content) {
  const made = element("td");
  made.append(content);
  return made;
}

/**
 * A sign that screen readers read out as what it means.
 * @param {string} sign
 * @param {string} meaning
 */
export function mark(sign, meaning) {
  const made = element("span", "", sign);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", meaning);
  return made;
}

/**
 * A button that does nothing while it says that it is disabled; it keeps the focus then.
 * @param {string} label
 * @param {() => void} pressed
 * @param {string} [className]
 */
export function buttonOf(label, pressed, className = "") {
  const button = element("button", className, label);
  button.type = "button";
  button.onclick = () => { if (button.getAttribute("aria-disabled") !== "true") pressed(); };
  return button;
}

/**
 * Something in a place of its own on the page, with this class.
 * @param {string} className
 * @param {...Node} content
 */
export function placed(className, ...content) {
  const made = element("div", className);
  made.append(...content);
  return made;
}
