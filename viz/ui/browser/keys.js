// Keyboard: which key asks the viewer for what, and when the keys belong to something else.

const KEYS = {
  ArrowLeft: (viewer) => viewer.step(-1),
  ArrowRight: (viewer) => viewer.step(1),
  ArrowUp: (viewer) => viewer.stepChannel(-1),
  ArrowDown: (viewer) => viewer.stepChannel(1),
  Home: (viewer) => viewer.go(0, 0),
  End: (viewer) => viewer.go(viewer.pages.length - 1, 0),
  "/": () => searchLayer(),
  "?": (viewer) => viewer.toggleHelp(),
};

function listenToKeys(viewer) {
  const pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || belongsElsewhere(event.target)) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act(viewer);
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

// Typing, choosing in a list, and walking the tree keep their own keys.
function belongsElsewhere(target) {
  return target instanceof Element
    && target.closest("input, textarea, select, [contenteditable=true], [role=listbox], [role=tree], [role=radiogroup], [role=slider]") !== null;
}

function searchLayer() {
  const input = document.querySelector(".st-key-layer input");
  input?.focus();
  input?.select();
}
