// The notice of a lost connection, in place of Streamlit's, which addresses a page's author.

const STATE = "data-test-connection-state"; // Streamlit's
const DIALOG = "[data-testid=stDialog] button[aria-label=Close]"; // it opens one each time it has tried in vain
const PATIENCE_MS = 1500; // a line that comes back sooner is not worth a word
const ARRIVAL_MS = 6000; // likewise one that a first visit waits for

// True if Streamlit has a connection; without one it drops all messages.
export function isConnected() {
  return document.querySelector(`[${STATE}]`)?.getAttribute(STATE) === "CONNECTED";
}

/**
 * Watch the line until the page stands, which has no words of its own before.
 * @param {Promise<void>} standing
 */
export function watchArrival(standing) {
  const said = document.querySelector(".lg-skeleton")?.getAttribute("data-away");
  if (!said) return;
  const sentences = JSON.parse(said);
  const language = new URLSearchParams(location.search).get("lang") ?? navigator.language.slice(0, 2);
  standing.then(watchConnection(() => sentences[language] ?? sentences.en, ARRIVAL_MS));
}

/**
 * Say that the server does not answer, for as long as that is so.
 * @param {() => string} words - of the visitor's language
 * @returns {() => void} what ends it
 */
export function watchConnection(words, patience = PATIENCE_MS) {
  const notice = Object.assign(document.createElement("p"), { className: "lg-away" });
  notice.setAttribute("role", "status");
  document.body.append(notice);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  const say = (/** @type {string} */ sentence) => {
    notice.textContent = sentence;
    document.documentElement.toggleAttribute("data-away", sentence !== ""); // for the style sheets
  };
  const look = () => {
    if (isConnected() || !document.querySelector(`[${STATE}]`)) {
      clearTimeout(waits);
      waits = undefined;
      say("");
      return;
    }
    waits ??= setTimeout(() => say(words()), patience);
    for (const close of document.querySelectorAll(DIALOG)) {
      if (close instanceof HTMLElement) close.click();
      say(words());
    }
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
