// The notice of a lost connection, in place of Streamlit's, which addresses a page's author.

import { element } from "../maps/mosaic.js";

const STATE = "data-test-connection-state"; // Streamlit's
const DIALOG = "[data-testid=stDialog] button[aria-label=Close]"; // it opens one each time it has tried in vain
const PATIENCE_MS = 1500; // a line that comes back sooner is not worth a word

// True if Streamlit has a connection; without one it drops all messages.
export function isConnected() {
  return document.querySelector(`[${STATE}]`)?.getAttribute(STATE) === "CONNECTED";
}

/**
 * Say that the server does not answer, for as long as that is so.
 * @param {() => string} words - of the visitor's language
 * @returns {() => void} what ends it
 */
export function watchConnection(words) {
  const notice = element("p", "lg-away");
  notice.setAttribute("role", "status");
  document.body.append(notice);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  const say = (/** @type {string} */ sentence) => {
    notice.textContent = sentence;
    document.documentElement.toggleAttribute("data-away", sentence !== ""); // for the style sheets
  };
  const look = () => {
    if (isConnected()) {
      clearTimeout(waits);
      waits = undefined;
      say("");
      return;
    }
    waits ??= setTimeout(() => say(words()), PATIENCE_MS);
    for (const close of document.querySelectorAll(DIALOG)) if (close instanceof HTMLElement) close.click();
  };
  const seen = new MutationObserver(look);
  seen.observe(document.body, { childList: true }); // where dialogs come
  seen.observe(document.documentElement, { subtree: true, attributeFilter: [STATE] });
  return () => {
    seen.disconnect();
    clearTimeout(waits);
    say("");
    notice.remove();
  };
}
