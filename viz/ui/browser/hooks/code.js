// The code of one event: a hook in plain PyTorch, with the running line lit.

import { element } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";

const REFUSED = "hooks#runtimeerror-output-0-of-backwardhookfunctionbackward-is-a-view-and-is-being-modified-inplace";

/** @typedef {Pick<HookEvent, "code" | "lit" | "caller" | "refused">} Coded */

/** @type {(root: HTMLElement, event: Coded, lines: readonly string[], words: Words) => void} */
export function drawCode(root, event, lines, words) {
  const pre = element("pre");
  const code = element("code");
  code.append(...event.code.map((line, place) => drawLine(lines[line], place, event)));
  pre.append(code);
  const refused = paragraph(withMore(words.hooks_refused, REFUSED, words), "lg-code-refused");
  refused.hidden = !event.refused;
  root.replaceChildren(element("figcaption", "", words.hooks_code), pre, refused);
}

/** @type {(text: string, place: number, event: Coded) => HTMLElement} */
function drawLine(text, place, { lit, caller }) {
  const line = element("span", place === lit ? "lg-lit" : place === caller ? "lg-caller" : text ? "" : "lg-blank");
  if (place === lit) line.setAttribute("aria-current", "step");
  const [said, note] = text.split(/ {2}(?=# )/);
  line.append(...said.split(/^(def)\b|(?=[.(])/).filter((part) => part !== undefined).flatMap(drawPart));
  if (note) line.append(element("i", "", `  ${note}`));
  line.append("\n");
  return line;
}

// Places to break a line that is too long: before a dot or a bracket.
/** @type {(part: string) => (Node | string)[]} */
function drawPart(part) {
  return part === "def" ? [element("b", "", part)] : [element("wbr"), part];
}
