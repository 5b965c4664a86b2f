// Keys with letters and signs, which anyone who uses speech input may turn off; the browser remembers it.

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
