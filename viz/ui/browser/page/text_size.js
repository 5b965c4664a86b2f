// The browser's text size in pixels, for layouts that grow with their text.

/** Pixels of so many rem, 16 each unless the browser is set to another size of text. @param {number} many */
export function rem(many) {
  return many * parseFloat(getComputedStyle(document.documentElement).fontSize);
}
