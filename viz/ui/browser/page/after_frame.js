// What need not be on screen at once, and what would lay out the page a second time.

/**
 * Act once what has been drawn is on screen.
 * @param {() => void} act
 */
export function afterFrame(act) {
  requestAnimationFrame(() => setTimeout(act));
}
