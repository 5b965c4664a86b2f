// Removal of the skeleton (page/skeleton.html), once there is something to see in its place.

const INSTEAD = "[data-testid=stAlert], [data-testid=stException], [data-testid=stProgress], [role=dialog]"; // Streamlit's
const BOXES = "[data-testid=stSidebarUserContent]"; // and these, if what they choose takes long to come
const PATIENCE_MS = 4000;

/** @param {Promise<void>} standing */
export function removeSkeleton(standing) {
  let waits = false;
  const remove = () => {
    seen.disconnect();
    document.querySelector(".lg-skeleton")?.remove();
  };
  const look = () => {
    if (document.querySelector(INSTEAD) && !document.documentElement.hasAttribute("data-away")) return remove();
    if (waits || !document.querySelector(BOXES)) return undefined;
    waits = true;
    return void setTimeout(remove, PATIENCE_MS);
  };
  const seen = new MutationObserver(look);
  seen.observe(document.documentElement, { subtree: true, childList: true });
  standing.then(remove);
}
