// Asking the server: again while it is busy, and no longer once nobody wants to know.

export const ASK_AGAIN_MS = 400;
export const GONE = 410; // the server does not know the visit, as after a restart

// Like fetch; if the server does not know the visit any more, the page hears of it.
/**
 * @param {string} address
 * @param {RequestInit} [options]
 */
export async function asked(address, options) {
  const answer = await fetch(address, options);
  if (answer.status === GONE) window.dispatchEvent(new CustomEvent("layerglass:gone", { detail: address }));
  return answer;
}

// The server's answer, asked for again while it is busy; null once it is no longer wanted.
/**
 * @template {keyof Answers} Question
 * @param {Address<Question>} address
 * @param {() => boolean} wanted
 * @returns {Promise<?Answers[Question]>}
 */
export async function answerOf(address, wanted) {
  for (;;) {
    try {
      const answer = await asked(address);
      const found = await answer.json();
      if (!wanted()) return null;
      if (!found.superseded && answer.status < 500) return found;
    } catch { /* the connection is gone for a moment */ }
    await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
    if (!wanted()) return null;
  }
}
