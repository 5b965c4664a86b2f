// The code of one event: a hook in plain PyTorch, with the line that runs lit.

import { element } from "../maps/mosaic.js";

/** @typedef {Pick<HookEvent, "code" | "lit" | "caller" | "refused">} Coded */

/** @type {(root: HTMLElement, event: Coded, lines: readonly string[], words: Words) => void} */
export function drawCode(root, event, lines, words) {
  const pre = element("pre");
  const code = element("code");
  code.append(...event.code.map((line, place) => drawLine(lines[line], place, event)));
  pre.append(code);
  const refused = element("p", "lg-code-refused", words.hooks_refused);
  refused.hidden = !event.refused;
  root.replaceChildren(element("figcaption", "", words.hooks_code), pre, refused);
}

/** @type {(text: string, place: number, event: Coded) => HTMLElement} */
function drawLine(text, place, { lit, caller }) {
  const line = element("span", place === lit ? "lg-lit" : place === caller ? "lg-caller" : "");
  if (place === lit) line.setAttribute("aria-current", "step");
  const [said, note] = text.split(/ {2}(?=# )/);
  line.append(...said.split(/^(def)\b/).map((part) => (part === "def" ? element("b", "", part) : part)));
  if (note) line.append(element("i", "", `  ${note}`));
  line.append("\n");
  return line;
}
