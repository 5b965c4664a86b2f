// Progress of the pass over a folder, with buttons to start and to stop.

import { element, filled } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";

const MINUTE = 60;

/**
 * About how long something takes, in words.
 * @param {?number} seconds
 * @param {Words} words
 */
export function timeText(seconds, words) {
  if (seconds === null) return "";
  if (seconds < 1.5 * MINUTE) return filled(words.exemplars_seconds, { count: Math.max(1, seconds < 10 ? Math.ceil(seconds) : 5 * Math.ceil(seconds / 5)) });
  return filled(words.exemplars_minutes, { count: Math.ceil(seconds / MINUTE) });
}

/** @type {(root: HTMLElement, folder: FolderFacts, words: Words, act: (what: "start" | "stop" | "forget") => void, all: string) => void} */
export function passLine(root, folder, words, act, all) {
  const { state, done, count, seconds, problem } = folder;
  const focused = root.contains(document.activeElement);
  const time = timeText(seconds, words);
  const values = { done, count, left: count - done, time };
  const parts = [];
  if (state === "running") {
    parts.push(bar(done, count, filled(time ? words.exemplars_running_time : words.exemplars_running, values)));
    parts.push(folder.mine ? button(words.exemplars_stop, () => act("stop")) : element("p", "", words.exemplars_others));
  }
  if (state === "none" || state === "stopped" || state === "failed") {
    parts.push(button(filled(state === "none" ? words.exemplars_start : words.exemplars_resume, values), () => act("start")));
  }
  if (state === "failed") parts.push(element("p", "lg-exemplars-problem", problem));
  if (folder.note) parts.push(paragraph(withMore(folder.note, "pictures-folder#how-do-i-offer-a-folder-to-everybody", words), "lg-exemplars-note"));
  if (state === "done") parts.push(element("p", "", filled(words.exemplars_done, values)));
  if (folder.left_out) parts.push(leftOut(folder, words, root.querySelector("details")?.open ?? false, all));
  if (folder.source === "own") parts.push(button(words.exemplars_forget, () => act("forget")));
  root.className = "lg-exemplars-line";
  keep(root, parts);
  if (focused && !root.contains(document.activeElement)) root.querySelector("button")?.focus({ preventScroll: true });
}

// Draw what is not there yet: a new button under a finger would lose its click.
/** @type {(root: HTMLElement, parts: readonly HTMLElement[]) => void} */
function keep(root, parts) {
  const there = [...root.children];
  const all = parts.map((part) => there.find((each) => each.isEqualNode(part)) ?? part);
  for (const each of there) if (!all.includes(each)) each.remove();
  all.forEach((each, place) => { if (root.children[place] !== each) root.insertBefore(each, root.children[place]); });
}

/** @type {(done: number, count: number, text: string) => HTMLElement} */
function bar(done, count, text) {
  const [label, progress] = [element("label", "", text), element("progress")];
  Object.assign(progress, { max: Math.max(1, count), value: done });
  label.append(progress);
  return label;
}

/** @type {(text: string, act: () => void) => HTMLElement} */
function button(text, act) {
  const made = element("button", "", text);
  Object.assign(made, { type: "button", onclick: act });
  return made;
}

/** @type {(folder: FolderFacts, words: Words, open: boolean, all: string) => HTMLElement} */
function leftOut({ left_out: count, some }, words, open, all) {
  const [details, list] = [element("details"), element("ul")];
  details.open = open;
  list.append(...some.map(({ title, reason }) => element("li", "", `${title}: ${reason}`)));
  details.append(element("summary", "", filled(words.exemplars_left_out, { count })), list);
  if (count > some.length) details.append(Object.assign(element("a", "", words.exemplars_all_left_out), { href: all, download: "left-out.txt" }));
  return details;
}
