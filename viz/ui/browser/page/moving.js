// The move of a visit to another server, if its own has gone. Another one answers for a while, and says so: then the
// page asks Python, which is at another server by now, to take over what the visitor had brought.

import { addressOf } from "../maps/addresses.js";
import { asked } from "./asking.js";

const SHARED = 64; // characters of a token that other servers know too
const ASK_MS = 20_000; // a few times before a visit ends that nobody keeps

// Ask for something small now and then: a visitor who only reads has to hear of it as well.
/** @param {() => string} subject */
export function listenForMoves(subject) {
  setInterval(() => {
    if (subject().length !== SHARED) return;
    asked(addressOf(subject(), "place.json"), { headers: { "x-layerglass-prefetch": "1" } }).catch(() => {});
  }, ASK_MS);
}

// Check whether Python has yet to take over what it is asked for: a session that has just begun first draws the
// page as it is for somebody who comes with this address.
/** @type {(names: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) => boolean} */
export function isYetToCome(names, { kept, ...wanted }) {
  return Boolean(kept) && ["sample", "weights"].some((name) => (names[name] ?? "") !== (wanted[name] ?? ""));
}
