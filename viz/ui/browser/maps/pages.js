// One page is one call of one layer: its facts and its decoded picture, fetched once and kept for a while.

import { addressOf, another, placeFields } from "./question.js";

const PAGES_KEPT = 96;
// How a layer is drawn, whatever the layer: a page's key is its address without these.
const DRAWN = { room: null, leaf: null, kind: null, row: null, index: null, show: null };

export class Pages {
  constructor(fetchOne = fetchPage) {
    this.kept = new Map();
    this.fetchOne = fetchOne;
  }

  // The page if it has been fetched already, else undefined.
  ready(address) {
    return this.kept.get(address)?.page;
  }

  // A promise of the page; on the server, a prefetch waits behind all urgent requests.
  open(key, prefetch = false) {
    const known = this.kept.get(key);
    if (known && (known.page || prefetch || !known.prefetch)) return known.promise;
    const entry = { prefetch, promise: this.fetchOne(key, prefetch) };
    this.kept.set(key, entry);
    entry.promise.then(
      (page) => { entry.page = page; },
      () => { if (this.kept.get(key) === entry) this.kept.delete(key); },
    );
    while (this.kept.size > PAGES_KEPT) this.kept.delete(this.kept.keys().next().value);
    return entry.promise;
  }
}

// The address of a page's facts, with the room that its picture has in this window; `fields` say how it is drawn.
export function pageAddress({ subject, look }, layer, call, room, fields = {}) {
  return addressOf(subject, "layer.json", { ...look, ...placeFields(layer, call), room: room.text(), ...fields });
}

export function keyOf(address) {
  return another(address, "layer.json", DRAWN);
}

async function fetchPage(address, prefetch) {
  const headers = prefetch ? { "x-layerglass-prefetch": "1" } : {};
  const image = new Image();
  const load = () => { image.src = another(address, "layer.png"); };
  if (!prefetch) load(); // in a prefetch the picture's request, which is urgent, must come after the facts'
  const answer = await fetch(address, { headers });
  const facts = await answer.json();
  const key = keyOf(address);
  if (!answer.ok) {
    const passing = answer.status === 429 || answer.status >= 500; // may succeed if asked again
    if (facts.superseded || passing) throw new Error(facts.error);
    return { address, key, facts: null, error: facts.error, said: facts.said };
  }
  if (prefetch) load();
  await image.decode();
  return { address, key, facts, image };
}
