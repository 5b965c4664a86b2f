// The browser's memory of this visitor. If it stores nothing for this page, every visit is the first.

const HERE_BEFORE = "layerglass.visited";

/** True if somebody comes to the bare address who has never been here. */
export const isFirstVisit = typeof window !== "undefined" && window.location.search === "" && !remembers(HERE_BEFORE);

/** @param {string} key */
export function remembers(key) {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** @param {string} key */
export function remember(key) {
  try {
    localStorage.setItem(key, "1");
  } catch { /* see above */ }
}

if (typeof window !== "undefined") remember(HERE_BEFORE);
