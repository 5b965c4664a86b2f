// The button of the board, which is there before the class's own scripts.

import { button } from "../layer/help.js";
import { element } from "../maps/mosaic.js";

const PEOPLE = `<svg viewBox="0 0 20 16" width="20" height="16" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.5"><circle cx="10" cy="4" r="2.6"/><path d="M5 14.5c0-3 2-5 5-5s5 2 5 5"/><circle cx="3.4" cy="6" r="1.7"/><circle cx="16.6" cy="6" r="1.7"/><path d="M.8 13c0-2 1-3.2 2.6-3.2M19.2 13c0-2-1-3.2-2.6-3.2"/></g></svg>`;

/** @param {() => void} open */
export function openerOf(open) {
  const made = button("lg-teach", "", open);
  made.dataset.part = "class";
  return made;
}

/** @type {(opener: HTMLButtonElement, words: Words) => void} */
export function nameOpener(opener, words) {
  if (opener.title === words.classroom_title) return;
  opener.innerHTML = PEOPLE;
  opener.append(element("span", "", words.classroom_button));
  opener.title = words.classroom_title;
}
