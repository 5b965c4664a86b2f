// The keyboard: actions of keys, keys that a control keeps, focus back to the maps.

import { signsCount } from "../page/signs.js";
import { inSidebar } from "../side/invitation.js";

/**
 * Actions of keys in a view; a key whose action a view does not have is left to the browser.
 * @typedef {Object} Keyed
 * @property {(by: number) => void} [step]
 * @property {(by: number) => void} [stepChannel]
 * @property {(by: number) => void} [toEnd]
 * @property {{toggle: () => void}} [form]
 * @property {{toggle: () => void}} [kind]
 * @property {{toggle: () => void}} [unit]
 * @property {{toggle: () => void}} [reduced]
 * @property {{toggle: () => void}} [figure]
 * @property {{toggle: () => void}} [play]
 * @property {(wanted: boolean) => void} [withChannel]
 * @property {{step: (by: number) => void, leave: () => boolean}} [zoom]
 * @property {(place: number) => boolean} [answer] - one of the quiz's choices, from 0; false if there is none to choose
 * @property {() => boolean} [goOn] - to what comes next; false if nothing does yet
 */

/**
 * The view on screen, and the parts with keys beside it.
 * @typedef {Object} Listening
 * @property {?{keyed?: Keyed}} shown
 * @property {import("./present.js").Presentation} presentation
 * @property {{toggle: () => void}} help
 * @property {?{back: () => boolean, asking: {choose: (place: number) => boolean}}} [classroom]
 */

/** False leaves a key to the browser. @type {Readonly<Record<string, (view: Keyed, page: Listening) => void | boolean>>} */
export const KEYS = {
  ArrowLeft: (view) => view.step ? view.step(-1) : false,
  ArrowRight: (view) => view.step ? view.step(1) : false,
  ArrowUp: (view) => view.stepChannel ? view.stepChannel(-1) : false,
  ArrowDown: (view) => view.stepChannel ? view.stepChannel(1) : false,
  Home: (view) => view.toEnd ? view.toEnd(-1) : false,
  End: (view) => view.toEnd ? view.toEnd(1) : false,
  "/": (view, { presentation }) => {
    presentation.end(); // it hides the search box
    searchLayer();
  },
  x: (view) => view.form ? view.form.toggle() : false,
  i: (view) => view.kind ? view.kind.toggle() : false,
  u: (view) => view.unit ? view.unit.toggle() : false,
  o: (view) => view.reduced ? view.reduced.toggle() : false,
  g: (view) => view.figure ? view.figure.toggle() : false,
  " ": (view) => view.play ? view.play.toggle() : false,
  k: (view) => view.play ? view.play.toggle() : false,
  f: (view, { classroom }) => classroom?.back() ?? false,
  p: (view, { presentation }) => presentation.toggle(),
  // One thing at a time: first the control in use, then the zoom, then the channel, then the presentation.
  Escape: (view, { presentation }) => {
    if (leaveControl() || view.zoom?.leave()) return;
    if (presentation.hasChannel) view.withChannel?.(false);
    else presentation.end();
  },
  "+": (view) => view.zoom ? view.zoom.step(1) : false,
  "=": (view) => view.zoom ? view.zoom.step(1) : false, // the same key without Shift
  "-": (view) => view.zoom ? view.zoom.step(-1) : false,
  0: (view) => view.zoom ? view.zoom.leave() : false,
  1: (view, page) => choose(view, page, 0),
  2: (view, page) => choose(view, page, 1),
  3: (view, page) => choose(view, page, 2),
  4: (view, page) => choose(view, page, 3),
  5: (view, page) => choose(view, page, 4),
  6: (view, page) => choose(view, page, 5),
  Enter: (view) => view.goOn ? view.goOn() : false,
  "?": (view, { help }) => help.toggle(),
};

// A choice of what the class is asked, else one of the quiz.
/** @type {(view: Keyed, page: Listening, place: number) => boolean} */
function choose(view, { classroom }, place) {
  return classroom?.asking.choose(place) || (view.answer?.(place) ?? false);
}

/** @param {Listening} page */
export function listenToKeys(page) {
  const hearing = new AbortController();
  const { signal } = hearing;
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || event.ctrlKey || event.metaKey || keeps(event.target, event.key)) return;
    const act = KEYS[event.key] ?? (event.shiftKey ? undefined : KEYS[event.key.toLowerCase()]); // with Caps Lock, "x" is "X"
    if (!act || (event.key.length === 1 && !signsCount())) return;
    if (act(page.shown?.keyed ?? {}, page) !== false) event.preventDefault();
  };
  document.addEventListener("keydown", pressed, { signal });
  comeBack(signal);
  followHand(signal);
  return () => hearing.abort();
}

const ARROWS = /^Arrow/;
const WALKING = /^(?:Arrow.*|Home|End|Page.*)$/;
// What Escape leaves: a text, a list or a slider.
const LEFT = ".lg-stage :is(input:not([type=checkbox], [type=radio], [type=file]), select)";
/** The keys that a control needs itself; the first line that fits it counts. @type {readonly (readonly [string, RegExp])[]} */
const NEEDED = [
  ["dialog[open], [role=dialog], [role=listbox]", /./], // a closed one has the focus until the next frame
  ["[role=combobox][aria-expanded=false]", /^(?!ArrowLeft$|ArrowRight$|Home$|End$|Escape$)/], // the caret moves once the list is open
  ["input:is([type=checkbox], [type=file])", /^ $/],
  ["input[type=radio]", ARROWS],
  ["input[type=range], [role=slider]", WALKING],
  ["select", /^(?:Arrow.*|Home|End|Page.*|[\p{L}\p{N} ])$/u], // a letter goes to the option that begins with it
  [".lg-stage input:not([type=search]:not(:placeholder-shown))", /^(?!Escape$)/], // a search is emptied first
  ["input, textarea, [contenteditable=true]", /./],
  ["[role=radiogroup]", /^(?:Arrow.*| )$/],
  ["[role=tree]", /^(?:Arrow.*|Home|End|Page.*| )$/],
  ["button, summary, a[href]", /^ $/],
];

/**
 * True if the control that has the focus needs a key itself, or a dialog lies over the page: its keys are its own also
 * where nothing in it has the focus.
 * @type {(target: ?EventTarget, key: string) => boolean}
 */
export function keeps(target, key) {
  if (!(target instanceof Element)) return false;
  if (document.querySelector("dialog:modal")) return true;
  const [, needed] = NEEDED.find(([controls]) => target.closest(controls)) ?? [];
  return needed?.test(key) ?? false;
}

/** True if keys are letters of a text. @param {?EventTarget} target */
export function isWriting(target) {
  return target instanceof Element && keeps(target, "z") && target.closest("select, .lg-picker, [role=combobox][aria-expanded=false]") === null;
}

// Give the keys back to the maps after a choice in a list, with the mouse also in the tree, among tabs or in a box.
// Visitors who walk through tabs, tree and boxes by the keyboard stay there.
/** @param {AbortSignal} signal */
function comeBack(signal) {
  const lists = new MutationObserver((changes) => {
    const { activeElement } = document;
    if (changes.some(({ target, oldValue }) => target === activeElement && oldValue === "true" && activeElement.matches("[role=combobox][aria-expanded=false]"))) toMaps();
  });
  lists.observe(document.body, { subtree: true, attributeFilter: ["aria-expanded"], attributeOldValue: true });
  signal.addEventListener("abort", () => lists.disconnect());
  document.addEventListener("click", ({ detail, target }) => {
    if (detail && target instanceof Element && target.closest("[role=tree], [role=radiogroup] button, .lg-hooks-stage button")) toMaps();
  }, { signal });
  document.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && !isTabbing()) toMaps();
  }, { signal });
}

// True if the visitor goes from control to control with Tab, not with the mouse. Only then do maps that have the focus
// get a frame.
function isTabbing() {
  return "tabbing" in document.documentElement.dataset;
}

/** @param {AbortSignal} signal */
function followHand(signal) {
  const { dataset } = document.documentElement;
  document.addEventListener("keydown", ({ key }) => { if (key === "Tab") dataset.tabbing = ""; }, { signal, capture: true });
  document.addEventListener("pointerdown", () => { delete dataset.tabbing; }, { signal, capture: true });
}

export function toMaps() {
  /** @type {?HTMLElement} */
  const maps = document.querySelector(".lg-stage .lg-viewer") ?? document.querySelector(".lg-stage .lg-feature");
  maps?.focus({ preventScroll: true });
}

export async function searchLayer() {
  const input = await inSidebar("[data-part=layer]");
  input?.scrollIntoView({ block: "nearest" });
  input?.focus({ preventScroll: true });
  input?.select();
}

// Give the keys of the control in use back to the maps; false if none has them.
function leaveControl() {
  if (!document.activeElement?.matches(LEFT)) return false;
  toMaps();
  return true;
}
