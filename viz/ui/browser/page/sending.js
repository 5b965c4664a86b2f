// What the page sends to Python: Streamlit drops all messages while it has no connection.

import { ASK_AGAIN_MS } from "./asking.js";
import { isConnected } from "./connection.js";

export async function connected() {
  while (!isConnected()) {
    await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
  }
}

/**
 * A way to Python that waits for the connection: of what is sent meanwhile, the newest goes.
 * @returns {(send: () => void) => Promise<void>}
 */
export function onceConnected() {
  /** @type {(() => void) | undefined} */
  let newest;
  return async (send) => {
    newest = send;
    await connected();
    if (newest === send) send();
  };
}
