// The end of a part, once its place is gone from the page. Streamlit also calls this end when newer data replaced those
// of a run whose code was still loading; then the part stays, because the newer data are for it.

/** @type {(place: Node, end: () => void) => () => void} */
export function onceRemoved(place, end) {
  return () => { if (!place.isConnected) end(); };
}
