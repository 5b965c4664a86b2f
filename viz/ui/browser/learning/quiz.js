// Scroll to where the quiz goes on, and focus it for screen readers: a new question's heading, or the explanation.

const HEADER = 60; // screen pixels that the page's header covers

/** @param {{data: {turn: string, place: string}, parentElement: HTMLElement}} given */
export default function ({ data, parentElement }) {
  const before = parentElement.dataset.turn;
  parentElement.dataset.turn = data.turn;
  if (before !== undefined && before !== data.turn) goOn(document.querySelector(`.st-key-${data.place}`));
}

// Otherwise keyboard users would start again at the top of the page, and phone users below the question.
/** @param {?HTMLElement} place */
function goOn(place) {
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const { top } = place.getBoundingClientRect();
  if (top < HEADER || top > window.innerHeight) place.scrollIntoView();
}
