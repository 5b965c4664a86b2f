// Where the quiz goes on: at the head of a new question, or at the explanation, which a screen reader then reads.

const HEADER = 60; // screen pixels that the page's header covers

export default function ({ data, parentElement }) {
  const before = parentElement.dataset.turn;
  parentElement.dataset.turn = data.turn;
  if (before !== undefined && before !== data.turn) goOn(document.querySelector(`.st-key-${data.place}`));
}

// Who answers by the keyboard would else begin again at the top of the page; who is on a phone, below the question.
function goOn(place) {
  if (!place) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
  const { top } = place.getBoundingClientRect();
  if (top < HEADER || top > window.innerHeight) place.scrollIntoView();
}
