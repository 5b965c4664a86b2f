// Requests that the notebook's kernel answers in place of a server.

/** @typedef {{status: number, kind: string, body: ArrayBuffer}} Answered */

// Not from 0: a notebook that moves a cell loads its frame anew, and answers to the one before may still come.
let [askedSoFar] = crypto.getRandomValues(new Uint32Array(1));
/** @type {Map<number, (answer: Answered) => void>} */
const waiting = new Map();

/** @type {(told: object) => void} */
export function tell(told) {
  window.parent.postMessage({ layerglass: true, ...told }, "*");
}

/** Take what the notebook says; returns false for what is no answer. @param {{answered?: number} & Answered} told */
export function takeAnswer(told) {
  if (told.answered === undefined) return false;
  waiting.get(told.answered)?.(told);
  waiting.delete(told.answered);
  return true;
}

/**
 * Like `fetch`, for the addresses of answers.
 * @param {RequestInfo | URL} address
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function askKernel(address, { method = "GET", headers, body } = {}) {
  const asked = askedSoFar += 1;
  /** @type {Promise<Answered>} */
  const coming = new Promise((done) => { waiting.set(asked, done); });
  tell({ asked, address: String(address), method, headers: [...new Headers(headers)], body: await bytesOf(body) });
  const { status, kind, body: found } = await coming;
  return new Response(found, { status, headers: { "content-type": kind } });
}

/** @param {BodyInit | null | undefined} body */
function bytesOf(body) {
  return body ? new Response(body).arrayBuffer() : null;
}
