// The browser's memory of lesson plans. A tab keeps the lesson that is being taught, over a reload; the browser keeps
// the teacher's own lesson for good, as its text. Nothing of it is sent anywhere.

const TAUGHT = "layerglass.plan";
export const OWN = "layerglass.lesson";
export const UNREAD = "layerglass.lesson.unread"; // what could not be read as a lesson took its place

/** @typedef {{text: string, clock: unknown, waiting?: boolean}} KeptPlan - waiting: for the subject of its step */

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

/** Keep a lesson; true if it is kept. @param {string} text - "" for none */
export function keepOwn(text, key = OWN) {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

export function keptOwn(key = OWN) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
