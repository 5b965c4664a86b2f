// A sentence from the server in the visitor's language: facts hold it in English, and under `said` in each other one.

export function said(found, name, words) {
  return found.said?.[words.language_code]?.[name] ?? found[name];
}
