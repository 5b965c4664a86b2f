// Where a view goes on after the visitor did something: in view, and focused for screen readers. Otherwise keyboard
// users would start again at the top of the page, and phone users below what is new.

const HEADER = 60; // screen pixels that the page's header covers

/** @param {HTMLElement} place */
export function goOn(place) {
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const { top, bottom } = place.getBoundingClientRect();
  if (top < HEADER || top > window.innerHeight) place.scrollIntoView();
  else if (bottom > window.innerHeight) place.scrollIntoView({ block: "nearest" }); // all of it
}
