// The parts of a lesson: its parameters, numbers, code, and the visitor's own layer.

import { element } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { mark, pictureOf, tableOf, textIn } from "./making.js";

/**
 * @param {LessonChoice} choice
 * @param {string} current
 * @param {(value: string) => void} chosen
 */
export function parameter({ label, values }, current, chosen) {
  const root = element("label", "", label);
  const select = element("select");
  select.append(...values.map((value) => {
    const option = element("option", "", String(value));
    option.selected = String(value) === current;
    return option;
  }));
  select.onchange = () => chosen(select.value);
  root.append(select);
  return root;
}

/**
 * A part's text and code, with a place for its numbers.
 * @param {LessonPart} part
 * @param {Words} words
 */
export function partOf({ name, title, text, plain, ours }, words) {
  const root = element("section");
  const numbers = element("div");
  const details = element("details", "lg-source");
  const columns = element("div", "lg-source-columns");
  columns.append(code(words.course_plain, plain));
  if (ours) columns.append(code(words.course_ours, ours));
  details.append(element("summary", "", words.course_code), columns);
  root.append(element("h3", "", title), textIn("p", text), numbers, details);
  return { name, root, numbers };
}

/** @type {(title: string, source: string) => HTMLElement} */
function code(title, source) {
  const figure = element("figure");
  const text = element("pre");
  text.append(element("code", "", source));
  figure.append(element("figcaption", "", title), text);
  return figure;
}

/**
 * A part's numbers beside the expected ones; or why there are none.
 * @param {HTMLElement} place
 * @param {LessonNumbers} found
 * @param {Words} words
 */
export function drawNumbers(place, found, words) {
  if (found.error) {
    place.replaceChildren(refused(found, words));
    return;
  }
  const heads = [words.course_what, words.course_expected, words.course_found, ""];
  const rows = found.lines.map(({ label, expected, found: came, right }) => {
    const verdict = right ? mark("✓", words.course_right) : mark("✗", words.course_wrong);
    return [textIn("span", label), expected, came, verdict];
  });
  place.replaceChildren(tableOf(heads, rows, found.verdict));
  if (found.canvas) place.append(pictureOf(found.canvas));
}

/**
 * Draw the lesson's facts of the visitor's own layer.
 * @param {HTMLElement} place
 * @param {LessonLiveFacts} found
 * @param {Words} words
 */
export function drawLive(place, found, words) {
  place.hidden = false;
  place.replaceChildren(element("h3", "", words.course_live));
  if (found.error) {
    place.append(refused(found, words));
    return;
  }
  const { text, hooks, kept, maps } = found;
  place.append(textIn("p", text));
  if (hooks.length) {
    const heads = [words.course_live_hook, words.course_live_given];
    place.append(tableOf(heads, hooks.map(({ hook, given }) => [hook, given])));
  }
  if (kept) {
    const heads = [words.course_live_way, words.course_live_wrong];
    place.append(tableOf(heads, kept.map(({ way, wrong }) => [element("code", "", way), wrong])));
  }
  if (maps) place.append(pictureOf(maps));
}
