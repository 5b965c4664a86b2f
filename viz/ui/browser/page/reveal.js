// Scrolling to an unfolded part near the window's end, as far as it fits.

const SETTLING_MS = 3000; // what is unfolded may have to be fetched first
const BY_HAND = ["wheel", "touchmove", "keydown"]; // whoever scrolls has seen enough

/** @param {HTMLDetailsElement} details */
export function revealOpened(details) {
  const growth = new ResizeObserver(() => details.scrollIntoView({ block: "nearest" }));
  const stop = () => growth.disconnect();
  details.querySelector("summary")?.addEventListener("click", () => {
    stop();
    if (details.open) return; // this click folds it up
    growth.observe(details);
    setTimeout(stop, SETTLING_MS);
    for (const each of BY_HAND) window.addEventListener(each, stop, { once: true, passive: true });
  });
}
