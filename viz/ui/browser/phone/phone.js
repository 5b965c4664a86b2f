// The phone's layout, where Streamlit's sidebar lies over everything else.

const NARROW = "(max-width: 640px)"; // as in the style sheets
const OPEN = "[data-testid=stExpandSidebarButton]";
const CLOSE = "[data-testid=stSidebarCollapseButton] button";
const SIDEBAR = "[data-testid=stSidebar][data-collapsed=false]";

export function isPhone() {
  return window.matchMedia(NARROW).matches;
}

export function openSidebar() {
  click(OPEN);
  whenThere(`${SIDEBAR} ${CLOSE}`, (button) => button.focus({ preventScroll: true }));
}

// Close the sidebar, because the chosen thing is below it.
export function closeSidebar() {
  if (isPhone() && document.querySelector(SIDEBAR)) click(CLOSE);
}

/** @param {string} selector */
function click(selector) {
  /** @type {?HTMLElement} */
  const button = document.querySelector(selector);
  button?.click();
}

// Streamlit draws the open sidebar in a frame of its own.
/** @type {(selector: string, act: (part: HTMLElement) => void) => void} */
function whenThere(selector, act) {
  requestAnimationFrame(() => {
    /** @type {?HTMLElement} */
    const part = document.querySelector(selector);
    if (part) act(part);
  });
}
