// The look in the page's address, beside the subject's own names. Each look on which the visitor rested is one entry of
// the browser's history.

import { lookFromQuery, lookToQuery, NAMES } from "./look.js";
import { place } from "./place.js";

/** @typedef {import("./look.js").Look} Look */

const RETURNS = ["popstate", "layerglass:returned"]; // page/first.js makes one of the other
const REST_MS = 200; // browsers take some hundred changes of the address in half a minute, and a held key makes more

/**
 * Keep the address and a store's look together. Another view is an entry of the browser's history at once, other choices
 * are one once the visitor rests; what the page settles by itself is written into the entry that is there. `returned`
 * gets the look that Back or Forward asks for.
 * @param {import("./store.js").Store} store
 * @param {(look: Look) => void} returned
 * @param {import("./place.js").Place} browser
 * @returns {{write: () => void, end: () => void}} `write` does not wait
 */
export function keepAddress(store, returned, browser = place) {
  let { view } = store.get();
  let fresh = false; // whether the visitor has chosen something since the last entry
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;

  function write() {
    clearTimeout(resting);
    const look = store.get();
    enter(look, fresh);
    view = look.view;
    fresh = false;
  }

  /** @type {(look: Look, another: boolean) => void} */
  function enter(look, another) {
    const { history, location } = browser;
    const query = queryWith(location.search, look);
    if (query === location.search) return;
    const address = `${location.pathname}${query}${location.hash}`; // a bare "" would keep the old query
    if (another) history.pushState(history.state, "", address); // the state is Streamlit's
    else history.replaceState(history.state, "", address);
  }

  /** @type {(look: Look, before: Look, chosen: boolean) => void} */
  function writeLater(look, before, chosen) {
    clearTimeout(resting);
    fresh ||= chosen;
    if (look.view === view) {
      resting = setTimeout(write, REST_MS);
      return;
    }
    enter(before, false); // the entry that is left behind shows what was last on screen in its view
    write();
  }

  function read() {
    clearTimeout(resting);
    const { look } = lookFromQuery(browser.location.search);
    view = look.view;
    returned(look);
    fresh = false; // it is an entry already
  }

  function leave() {
    fresh = false;
    write();
  }

  const unsubscribe = store.subscribe(writeLater);
  for (const event of RETURNS) browser.addEventListener(event, read);
  browser.addEventListener("pagehide", leave);
  return {
    write,
    end() {
      clearTimeout(resting);
      unsubscribe();
      for (const event of RETURNS) browser.removeEventListener(event, read);
      browser.removeEventListener("pagehide", leave);
    },
  };
}

/**
 * A query with the names that are not the look's as they are, and then the look.
 * @param {string} query
 * @param {Look} look
 */
export function queryWith(query, look) {
  const kept = query.replace(/^\?/, "").split("&").filter((part) => part && !isOfLook(part));
  const parts = [...kept, lookToQuery(look)].filter(Boolean);
  return parts.length ? `?${parts.join("&")}` : "";
}

/** @type {(part: string) => boolean} */
function isOfLook(part) {
  const [name] = new URLSearchParams(part).keys();
  return NAMES.some((each) => each === name);
}

/**
 * The names in a query: those of the look, and the others with their values, which are the subject's.
 * @param {string} query
 * @returns {{look: string[], others: Record<string, string>}}
 */
export function namesIn(query) {
  const pairs = [...new URLSearchParams(query)];
  return {
    look: pairs.map(([name]) => name).filter((name) => isLooks(name)),
    others: Object.fromEntries(pairs.filter(([name]) => !isLooks(name))),
  };
}

/** @type {(name: string) => boolean} */
const isLooks = (name) => NAMES.some((each) => each === name);

/**
 * Write the subject's names into the address, in place of those before; another subject is an entry of its own if the
 * visitor has chosen it.
 * @param {Record<string, string>} names
 * @param {boolean} chosen
 * @param {Pick<import("./place.js").Place, "history" | "location">} browser
 */
export function nameSubject(names, chosen, browser = place) {
  const { history, location } = browser;
  const said = new URLSearchParams(names).toString();
  const query = [said, lookToQuery(lookFromQuery(location.search).look)].filter(Boolean).join("&");
  const before = new URLSearchParams(namesIn(location.search).others).toString();
  if (before === said && `?${query}` === (location.search || "?")) return;
  const address = `${location.pathname}${query ? `?${query}` : ""}${location.hash}`;
  if (chosen && before && before !== said) history.pushState(history.state, "", address);
  else history.replaceState(history.state, "", address);
}
