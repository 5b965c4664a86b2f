// The tab's memory of its visit across a reload: the subject's token. It is kept while something of the subject is the
// visitor's own, such as a picture of a folder that they brought; it already opens the picture, as long as the visit
// goes on. A tab forgets it when it is closed, or shows a sample.

import { addressOf } from "../maps/addresses.js";

const KEPT = "layerglass.kept";
const OWN = "own:"; // before the name of a picture in the visitor's folder

/** @param {Pick<SubjectFacts, "subject" | "address">} data */
export function keep({ subject, address }) {
  try {
    if (address.sample && !address.sample.startsWith(OWN) && address.weights) sessionStorage.removeItem(KEPT);
    else sessionStorage.setItem(KEPT, subject);
  } catch { /* without storage, a reload begins anew */ }
}

// Only for a page that is reloaded or returned to: anyone who types its address in the same tab may be somebody else.
export function keptSubject() {
  const [arrival] = performance.getEntriesByType("navigation");
  const typed = arrival instanceof PerformanceNavigationTiming && arrival.type === "navigate";
  try {
    return typed ? "" : sessionStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

// Check whether the visit that had the subject goes on.
/** @param {string} subject */
export async function stillHere(subject) {
  if (!subject) return false;
  const answer = await fetch(addressOf(subject, "look.json")).catch(() => null);
  return answer?.ok ?? false;
}
