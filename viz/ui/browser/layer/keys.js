// Keyboard: what each key does in the viewer, and when the keys belong to something else.

export const KEYS = {
  ArrowLeft: (viewer) => viewer.step(-1),
  ArrowRight: (viewer) => viewer.step(1),
  ArrowUp: (viewer) => viewer.stepChannel(-1),
  ArrowDown: (viewer) => viewer.stepChannel(1),
  Home: (viewer) => viewer.go(0, 0),
  End: (viewer) => viewer.go(viewer.pages.length - 1, 0),
  "/": (viewer) => {
    if (viewer.presentation.on) viewer.presentation.toggle(); // a presentation hides the search box
    searchLayer();
  },
  x: (viewer) => viewer.form?.toggle(),
  i: (viewer) => viewer.kind.toggle(),
  p: (viewer) => viewer.presentation.toggle(),
  Escape: (viewer) => viewer.presentation.leave(),
  "?": (viewer) => viewer.help.toggle(),
};

export function listenToKeys(viewer) {
  const pressed = (event) => {
    if (event.altKey || belongsElsewhere(event.target)) return;
    if (event.ctrlKey || event.metaKey) return undoes(event) && viewer.undo?.(event);
    const act = KEYS[event.key];
    if (!act || (event.key.length === 1 && !signsCount())) return;
    event.preventDefault();
    act(viewer);
  };
  document.addEventListener("keydown", pressed);
  const stopKeeping = keepFocus();
  return () => {
    stopKeeping();
    document.removeEventListener("keydown", pressed);
  };
}

const undoes = ({ key, shiftKey }) => key.toLowerCase() === "z" && !shiftKey;

// Anyone who uses speech input may want to turn the letter keys off; the browser remembers it.
const NO_SIGNS = "layerglass.no-signs";

export function signsCount() {
  try {
    return localStorage.getItem(NO_SIGNS) === null;
  } catch {
    return true;
  }
}

export function letSignsCount(wanted) {
  try {
    if (wanted) localStorage.removeItem(NO_SIGNS);
    else localStorage.setItem(NO_SIGNS, "1");
  } catch { /* without storage, the keys stay on */ }
}

// Streamlit's select boxes may take the focus when their value is changed from outside. It goes back to where it was;
// otherwise the next arrow key would not reach the viewer or the tree.
function keepFocus() {
  let meant = -Infinity;
  const means = ({ type, key }) => {
    if (type === "pointerdown" || key === "Tab" || key === "/") meant = performance.now();
  };
  const focused = ({ target, relatedTarget }) => {
    const taken = target.closest("[data-testid=stSelectbox]") && performance.now() - meant > 300;
    if (!taken || target.getAttribute("aria-expanded") === "true" || (relatedTarget && !relatedTarget.closest(".lg-tree, .lg-viewer"))) return;
    if (relatedTarget) relatedTarget.focus({ preventScroll: true });
    else target.blur();
  };
  const listeners = [["pointerdown", means], ["keydown", means], ["focusin", focused]];
  for (const [name, listener] of listeners) document.addEventListener(name, listener, true);
  return () => listeners.forEach(([name, listener]) => document.removeEventListener(name, listener, true));
}

// Text fields, lists and the tree keep their own keys.
export function belongsElsewhere(target) {
  return target instanceof Element
    && target.closest("input, textarea, select, [contenteditable=true], [role=listbox], [role=tree], [role=radiogroup], [role=slider], dialog") !== null;
}

export function searchLayer() {
  const input = document.querySelector(".st-key-layer input");
  input?.focus();
  input?.select();
}
