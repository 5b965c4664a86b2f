// The addresses of answers: maps/<subject>/<question>?<fields>. The fields are the look's and the question's own; those
// that are not said are left out.

export function addressOf(subject, question, fields = {}) {
  return withFields(`maps/${subject}/${question}`, new URLSearchParams(), fields);
}

// Another question with the same fields as an address, and more; null takes a field out.
export function another(address, question, more = {}) {
  const [path, query = ""] = address.split("?");
  return withFields(`${path.slice(0, path.lastIndexOf("/") + 1)}${question}`, new URLSearchParams(query), more);
}

// A layer's call, from 0, as fields: people count calls from 1.
export function placeFields(layer, call) {
  return { layer, call: call ? call + 1 : null };
}

// Two data with the same text ask about the same subject in the same colours, with the same edits.
export function aboutOf({ subject, look }) {
  return JSON.stringify([subject, look]);
}

function withFields(path, query, fields) {
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
