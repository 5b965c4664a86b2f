// The look in the page's address, beside the subject's own names: one entry of the browser's history for each view.

import { lookFromQuery, lookToQuery, NAMES } from "./look.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./look.js").Vain} Vain */

/**
 * Keep the address and a store's look together. Back and Forward bring the look of their entry; `heard` is told what
 * that entry asks for in vain. What is returned ends it.
 * @param {import("./store.js").Store} store
 * @param {(vain: Vain[]) => void} heard
 * @param {Pick<Window, "history" | "location" | "addEventListener" | "removeEventListener">} browser
 * @returns {() => void}
 */
export function keepAddress(store, heard = () => {}, browser = window) {
  let { view } = store.get();

  /** @type {(look: Look) => void} */
  function write(look) {
    const query = queryWith(browser.location.search, look);
    const another = look.view !== view;
    view = look.view;
    if (query === browser.location.search) return;
    const { history, location } = browser;
    const address = `${location.pathname}${query}${location.hash}`; // a bare "" would keep the old query
    if (another) history.pushState(history.state, "", address); // the state is Streamlit's
    else history.replaceState(history.state, "", address);
  }

  function read() {
    const { look, vain } = lookFromQuery(browser.location.search);
    view = look.view;
    store.dispatch({ type: "link", look });
    heard(vain);
  }

  const end = store.subscribe(write);
  browser.addEventListener("popstate", read);
  return () => {
    end();
    browser.removeEventListener("popstate", read);
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
