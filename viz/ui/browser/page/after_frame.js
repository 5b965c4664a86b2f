// Work after the next frame. It is for anything that is not needed at once, or would lay out the page a second time.

/**
 * Act once the last drawing is on screen.
 * @param {() => void} act
 */
export function afterFrame(act) {
  requestAnimationFrame(() => setTimeout(act));
}
