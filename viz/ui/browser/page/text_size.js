// How large the browser writes: rooms that are measured in pixels grow with the text that stands in them.

/** Pixels of so many rem, 16 each unless the browser is set to another size of text. @param {number} many */
export function rem(many) {
  return many * parseFloat(getComputedStyle(document.documentElement).fontSize);
}
