// Sections that unfold: the look says which do, and one near the window's end is scrolled to, as far as it fits.

const SETTLING_MS = 3000; // what is unfolded may have to be fetched first
const BY_HAND = ["wheel", "touchmove", "keydown"]; // whoever scrolls has seen enough

/** @param {HTMLDetailsElement} details */
export function revealOpened(details) {
  const growth = new ResizeObserver(() => details.scrollIntoView({ block: "nearest" }));
  const stop = () => growth.disconnect();
  details.querySelector("summary")?.addEventListener("click", () => {
    stop();
    if (details.open) return; // this click folds it up
    growth.observe(details);
    setTimeout(stop, SETTLING_MS);
    for (const each of BY_HAND) window.addEventListener(each, stop, { once: true, passive: true });
  });
}

/** @typedef {"filter" | "exemplars" | "optimised"} Section */

/**
 * Check whether a section is unfolded; where the look leaves it to the view, it is if it `usually` is.
 * @type {(look: Look, section: Section, usually: boolean) => boolean}
 */
export function isUnfolded(look, section, usually) {
  return look[section] === "auto" ? usually : look[section] !== "folded";
}

/**
 * Unfold a section as the look says, and write into the look what the visitor unfolds; what is returned ends it.
 * @param {HTMLDetailsElement} details
 * @param {Section} section
 * @param {import("../look/store.js").Store} store
 * @param {boolean} usually - whether it is unfolded where the look leaves that to the view
 * @returns {() => void}
 */
export function unfoldedByLook(details, section, store, usually) {
  const isWanted = () => isUnfolded(store.get(), section, usually);
  const follow = () => { if (details.open !== isWanted()) details.open = isWanted(); };
  details.addEventListener("toggle", () => {
    if (details.open === isWanted()) return;
    const said = details.open === usually ? "auto" : details.open ? "open" : "folded";
    store.settle(/** @type {Action} */ ({ type: section, [section]: said }));
  });
  follow();
  // The browser tells of what the visitor unfolds some tasks later: another choice meanwhile must not fold it again.
  return store.subscribe((look, before) => { if (look[section] !== before[section]) follow(); });
}
