// Clicks on what was drawn anew between press and release: browsers send them to neither the old nor the new.

const PRESSED = "button, a[href], summary";

/** @type {(target: ?EventTarget) => ?HTMLElement} */
const control = (target) => (target instanceof Element ? target.closest(PRESSED) : null);

/** Click what has taken the place of a pressed control, if it is the same; touch screens do so by themselves. */
export function keepPresses() {
  /** @type {?HTMLElement} */
  let pressed = null;
  addEventListener("pointerdown", ({ button, pointerType, target }) => {
    pressed = button === 0 && pointerType !== "touch" ? control(target) : null;
  }, true);
  addEventListener("pointerup", ({ target }) => {
    const before = pressed, now = control(target);
    pressed = null;
    if (before && !before.isConnected && now?.isEqualNode(before)) now.click();
  }, true);
}
