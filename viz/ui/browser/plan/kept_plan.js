// The browser's memory of lesson plans. A tab keeps the lesson that is being taught, over a reload; the browser keeps
// the teacher's own lesson for good, as its text. Nothing of it is sent anywhere.

const TAUGHT = "layerglass.plan";
const OWN = "layerglass.lesson";

/** @typedef {{text: string, clock: unknown}} KeptPlan */

/** @param {?KeptPlan} kept */
export function keepTaught(kept) {
  try {
    if (kept) sessionStorage.setItem(TAUGHT, JSON.stringify(kept));
    else sessionStorage.removeItem(TAUGHT);
  } catch { /* without storage, a reload ends the lesson */ }
}

/** @returns {?KeptPlan} */
export function keptTaught() {
  try {
    const found = JSON.parse(sessionStorage.getItem(TAUGHT) ?? "null");
    return found && typeof found.text === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} text - "" for none */
export function keepOwn(text) {
  try {
    if (text) localStorage.setItem(OWN, text);
    else localStorage.removeItem(OWN);
    return true;
  } catch {
    return false;
  }
}

export function keptOwn() {
  try {
    return localStorage.getItem(OWN) ?? "";
  } catch {
    return "";
  }
}
