// The place of the address that says the look: the window, or a page of its own where the window has no address, as a
// frame in a notebook.

/** @typedef {Pick<Window, "addEventListener" | "removeEventListener"> & {history: Pick<History, "state" | "pushState" | "replaceState">, location: Pick<Location, "pathname" | "search" | "hash" | "href">}} Place */

/** @type {Place} */
export const place = isFramed() ? ownPlace() : globalThis.window;

export function isFramed() {
  return globalThis.location?.protocol === "about:";
}

/** @returns {Place} */
function ownPlace() {
  const location = { pathname: "", search: "", hash: "", href: "" };
  /** @type {(state: unknown, unused: string, address?: string | URL | null) => void} */
  const go = (state, _, address) => {
    const [, search] = String(address ?? "").split("?");
    location.search = search ? `?${search}` : "";
    location.href = location.search;
  };
  return {
    location,
    history: { state: null, pushState: go, replaceState: go },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  };
}
