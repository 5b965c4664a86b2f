// The addresses of answers: maps/<subject>/<question>?<fields>. The fields are the look's and the question's own; those
// that are not said are left out.

/** @typedef {{[name: string]: string | number | null | undefined}} Fields */

/**
 * @param {string} subject
 * @param {string} question
 * @param {Fields} fields
 */
export function addressOf(subject, question, fields = {}) {
  return withFields(`maps/${subject}/${question}`, new URLSearchParams(), fields);
}

/**
 * Another question with the same fields as an address, and more; null takes a field out.
 * @param {string} address
 * @param {string} question
 * @param {Fields} more
 */
export function another(address, question, more = {}) {
  const [path, query = ""] = address.split("?");
  return withFields(`${path.slice(0, path.lastIndexOf("/") + 1)}${question}`, new URLSearchParams(query), more);
}

/**
 * A layer's call, from 0, as fields: people count calls from 1.
 * @param {string} layer
 * @param {number} call
 */
export function placeFields(layer, call) {
  return { layer, call: call ? call + 1 : null };
}

/**
 * Two data with the same text ask about the same subject in the same colours, with the same edits.
 * @param {{subject: string, look: Fields}} data
 */
export function aboutOf({ subject, look }) {
  return JSON.stringify([subject, look]);
}

/** @type {(path: string, query: URLSearchParams, fields: Fields) => string} */
function withFields(path, query, fields) {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
