// A sentence from the server in the visitor's language. Facts hold it in English, and under `said` in each other one.

/**
 * @template {string} Name
 * @param {{[name in Name]?: string} & Pick<Answer, "said">} found
 * @param {Name} name
 * @param {Words} words
 * @returns {string}
 */
export function said(found, name, words) {
  return found.said?.[words.language_code]?.[name] ?? found[name] ?? "";
}
