// A sentence from the server in the visitor's language: it comes in English, and in Chinese where that is known.

function said(found, name, words) {
  return (words.language_code === "zh" && found[`${name}_zh`]) || found[name];
}
