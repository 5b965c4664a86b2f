// What a tab remembers of its visit across a reload: the subject, while something of it is the visitor's own. Its token
// already opens the picture, as long as the visit goes on; a tab forgets it when it is closed, or shows a sample.

import { addressOf } from "../maps/addresses.js";

const KEPT = "layerglass.kept";

/** @param {Pick<SubjectFacts, "subject" | "address">} data */
export function keep({ subject, address }) {
  try {
    if (address.sample && address.weights) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, subject);
  } catch { /* without storage, a reload begins anew */ }
}

// Only for who reloads the page, or comes back to it: whoever types its address in the same tab may be somebody else.
export function keptSubject() {
  const [arrival] = performance.getEntriesByType("navigation");
  const typed = arrival instanceof PerformanceNavigationTiming && arrival.type === "navigate";
  try {
    return typed ? "" : sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

// Whether the visit that had the subject goes on.
/** @param {string} subject */
export async function stillHere(subject) {
  if (!subject) return false;
  const answer = await fetch(addressOf(subject, "look.json")).catch(() => null);
  return answer?.ok ?? false;
}
