// The tab's memory of its class, until it is closed or the class has ended.

const KEPT = "layerglass.class";

/** @typedef {{role: "teacher" | "student", code: string, secret: string, own: boolean}} KeptClass */

/** @param {?KeptClass} kept */
export function keepClass(kept) {
  try {
    if (kept) sessionStorage.setItem(KEPT, JSON.stringify(kept));
    else sessionStorage.removeItem(KEPT);
  } catch { /* without storage, a reload leaves the class */ }
}

/** @returns {?KeptClass} */
export function keptClass() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const fits = found && ["teacher", "student"].includes(found.role) && ["code", "secret"].every((name) => typeof found[name] === "string");
    return fits ? found : null;
  } catch {
    return null;
  }
}

// The code in the address with which a visitor has arrived, as of a link or a QR code.
/** @param {string} query */
export function codeIn(query) {
  return (new URLSearchParams(query).get("class") ?? "").slice(0, 40);
}

// True if a text that was typed, or that a link has, is this code.
/** @type {(typed: string, code: string) => boolean} */
export function isSameCode(typed, code) {
  return typed.replace(/[^a-z]/gi, "").toUpperCase() === code;
}
