// One page is one call of one layer: its facts and its decoded picture, fetched once and kept for a while.
const PAGES_KEPT = 96;
const ROOM = /room=\d+x\d+&?/; // in an address

class Pages {
  constructor(fetchOne = fetchPage) {
    this.kept = new Map();
    this.fetchOne = fetchOne;
  }

  // The page if it is here already, else undefined.
  ready(address) {
    return this.kept.get(address)?.page;
  }

  // A promise of the page; prefetches stand behind everybody's urgent requests on the server.
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

// Where a page's answers are: its base, and the room that its picture has in this window.
function pageAddress(book, index, call, room, options) {
  const query = [room.query(), options].filter(Boolean).join("&");
  return `maps/${book}-${index}-${call}.json?${query}`;
}

async function fetchPage(address, prefetch) {
  const headers = prefetch ? { "x-layerglass-prefetch": "1" } : {};
  const image = new Image();
  const load = () => { image.src = address.replace(".json", ".png"); };
  if (!prefetch) load(); // a prefetch must not send a picture's request, which is urgent, before its own
  const answer = await fetch(address, { headers });
  const facts = await answer.json();
  const [key, query = ""] = address.split(".json");
  if (!answer.ok) {
    const passing = answer.status === 429 || answer.status >= 500; // asked again, it may be answered
    if (facts.superseded || passing) throw new Error(facts.error);
    return { key, query, facts: null, error: facts.error, said: facts.said };
  }
  if (prefetch) load();
  await image.decode();
  return { key, query, facts, image };
}
