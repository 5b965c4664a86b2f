// The colour scheme of the page. On a dark page, zero has a dark colour; exports keep the colours of paper.

/** @type {?boolean} */
let dark = null; // as last seen: to ask lays out the page

// The scheme in the address of a picture.
export function onPage() {
  dark ??= seen();
  return dark ? "dark=1" : "";
}

// Look again; whether it has changed.
export function isOtherScheme() {
  const before = dark;
  dark = seen();
  return before !== null && before !== dark;
}

// Light text is for dark pages.
function seen() {
  const [red, green, blue] = getComputedStyle(document.querySelector(".stApp") ?? document.body).color.match(/\d+/g)?.map(Number) ?? [0, 0, 0];
  return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
}
