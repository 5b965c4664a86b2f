// The next place of a view after an action: scrolled into view, and focused. Otherwise keyboard users would start again
// at the top of the page, and phone users below the new part.

const HEADER = 60; // screen pixels that the page's header covers

/** @param {HTMLElement} place */
export function goOn(place) {
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const { top, bottom } = place.getBoundingClientRect();
  if (top < HEADER || top > window.innerHeight) place.scrollIntoView();
  else if (bottom > window.innerHeight) place.scrollIntoView({ block: "nearest" }); // all of it
}
