// Keyboard: what each key does in the viewer, and when the keys belong to something else.

/**
 * What keys do to the viewer, or to the comparison, which has no edits.
 * @typedef {Object} Keyed
 * @property {(by: number) => void} step
 * @property {(by: number) => void} stepChannel
 * @property {(by: number) => void} toEnd
 * @property {{end: () => void, toggle: () => void, leave: () => void}} presentation
 * @property {{toggle: () => void}} [form]
 * @property {{toggle: () => void}} kind
 * @property {{toggle: () => void}} help
 */

/** @type {Readonly<Record<string, (viewer: Keyed) => void>>} */
export const KEYS = {
  ArrowLeft: (viewer) => viewer.step(-1),
  ArrowRight: (viewer) => viewer.step(1),
  ArrowUp: (viewer) => viewer.stepChannel(-1),
  ArrowDown: (viewer) => viewer.stepChannel(1),
  Home: (viewer) => viewer.toEnd(-1),
  End: (viewer) => viewer.toEnd(1),
  "/": (viewer) => {
    viewer.presentation.end(); // it hides the search box
    searchLayer();
  },
  x: (viewer) => viewer.form?.toggle(),
  i: (viewer) => viewer.kind.toggle(),
  p: (viewer) => viewer.presentation.toggle(),
  Escape: (viewer) => viewer.presentation.leave(),
  "?": (viewer) => viewer.help.toggle(),
};

/** @param {Keyed} viewer */
export function listenToKeys(viewer) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || belongsElsewhere(event.target)) return;
    const act = KEYS[event.key];
    if (!act || (event.key.length === 1 && !signsCount())) return;
    event.preventDefault();
    act(viewer);
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

// Anyone who uses speech input may want to turn the letter keys off; the browser remembers it.
const NO_SIGNS = "layerglass.no-signs";

export function signsCount() {
  try {
    return localStorage.getItem(NO_SIGNS) === null;
  } catch {
    return true;
  }
}

/** @param {boolean} wanted */
export function letSignsCount(wanted) {
  try {
    if (wanted) localStorage.removeItem(NO_SIGNS);
    else localStorage.setItem(NO_SIGNS, "1");
  } catch { /* without storage, the keys stay on */ }
}

// Text fields, lists and the tree keep their own keys.
/** @param {?EventTarget} target */
export function belongsElsewhere(target) {
  return target instanceof Element
    && target.closest("input, textarea, select, [contenteditable=true], [role=listbox], [role=tree], [role=radiogroup], [role=slider], dialog") !== null;
}

export function searchLayer() {
  /** @type {?HTMLInputElement} */
  const input = document.querySelector("[data-part=layer]");
  input?.focus();
  input?.select();
}
