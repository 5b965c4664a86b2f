// A cache of pages: facts and decoded picture of one call of one layer.

import { asked as answerTo, GONE, pictured } from "../page/asking.js";
import { addressOf } from "./addresses.js";

/** @typedef {{subject: string, query: string}} Asked */
/**
 * @template Fetched
 * @typedef {{prefetch: boolean, promise: Promise<Fetched>, page?: Fetched}} Entry
 */

const PAGES_KEPT = 96;

/** @template {{error?: string}} Fetched - such as a page */
export class Pages {
  /** @type {Map<string, Entry<Fetched>>} */
  kept = new Map();

  /** @param {(asked: Asked, prefetch: boolean) => Promise<Fetched>} fetchOne */
  constructor(fetchOne) {
    this.fetchOne = fetchOne;
  }

  // The page if it has been fetched already, else undefined.
  /** @param {Asked} asked */
  ready(asked) {
    return this.kept.get(keyOf(asked))?.page;
  }

  // A promise of the page; on the server, a prefetch waits behind all urgent requests.
  /** @param {Asked} asked */
  open(asked, prefetch = false) {
    const key = keyOf(asked);
    const known = this.kept.get(key);
    if (known && (known.page || prefetch || !known.prefetch)) return known.promise;
    /** @type {Entry<Fetched>} */
    const entry = { prefetch, promise: this.fetchOne(asked, prefetch) };
    this.kept.set(key, entry);
    entry.promise.then(
      (page) => {
        entry.page = page;
        if (page.error && this.kept.get(key) === entry) this.kept.delete(key); // the reason may have gone by the next time
      },
      () => { if (this.kept.get(key) === entry) this.kept.delete(key); },
    );
    while (this.kept.size > PAGES_KEPT) this.kept.delete([...this.kept.keys()][0]);
    return entry.promise;
  }
}

/** @param {Asked} asked */
const keyOf = ({ subject, query }) => `${subject} ${query}`;

// The facts and the picture of a layer, drawn as the query says. A refusal that lasts is a page with an `error`.
/** @type {(asked: Asked, prefetch: boolean) => Promise<Page>} */
export async function fetchPage({ subject, query }, prefetch) {
  /** @type {Record<string, string>} */
  const headers = prefetch ? { "x-layerglass-prefetch": "1" } : {};
  const image = new Image(), picture = addressOf(subject, "layer.png", query);
  const load = () => { image.src = picture; };
  if (!prefetch) load(); // in a prefetch the picture's request, which is urgent, must come after the facts'
  const answer = await answerTo(addressOf(subject, "layer.json", query), { headers });
  const facts = await answer.json();
  if (!answer.ok) {
    const passing = [GONE, 429].includes(answer.status) || answer.status >= 500; // may succeed if asked again
    if (facts.superseded || passing) throw new Error(facts.error);
    return { subject, query, facts: null, error: facts.error, said: facts.said, document: facts.document };
  }
  if (prefetch) load();
  await pictured(picture, prefetch ? image.decode() : loaded(image), { headers });
  return { subject, query, facts, image };
}

// An image whose file has come. `decode` would wait for a frame or two beside the decoding; one that is to be shown at
// once is decoded with the frame that shows it.
/** @type {(image: HTMLImageElement) => Promise<void>} */
async function loaded(image) {
  image.decoding = "sync";
  if (!image.complete) await new Promise((done) => { image.onload = image.onerror = done; });
  if (!image.naturalWidth) throw new Error("the picture has not come");
}
