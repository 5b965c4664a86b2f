// One page is one call of one layer: its facts and its decoded picture, fetched once and kept for a while.
const PAGES_KEPT = 96;
export const ROOM = /room=\d+x\d+&?/; // in an address

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

// The address of a page's facts, with the room that its picture has in this window.
export function pageAddress(book, index, call, room, options) {
  const query = [room.query(), options].filter(Boolean).join("&");
  return `maps/${book}-${index}-${call}.json?${query}`;
}

async function fetchPage(address, prefetch) {
  const headers = prefetch ? { "x-layerglass-prefetch": "1" } : {};
  const image = new Image();
  const load = () => { image.src = address.replace(".json", ".png"); };
  if (!prefetch) load(); // in a prefetch the picture's request, which is urgent, must come after the facts'
  const answer = await fetch(address, { headers });
  const facts = await answer.json();
  const [key, query = ""] = address.split(".json");
  if (!answer.ok) {
    const passing = answer.status === 429 || answer.status >= 500; // may succeed if asked again
    if (facts.superseded || passing) throw new Error(facts.error);
    return { key, query, facts: null, error: facts.error, said: facts.said };
  }
  if (prefetch) load();
  await image.decode();
  return { key, query, facts, image };
}
