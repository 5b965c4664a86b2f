// A cache of pages: facts and decoded picture of one call of one layer.

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

  /** @param {(asked: Asked, prefetch: boolean, hurried: boolean) => Promise<Fetched>} fetchOne - hurried: past its prefetch */
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
    const entry = { prefetch, promise: this.fetchOne(asked, prefetch, known !== undefined) };
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
