// What the engine says in English comes with a key, and is said here in the visitor's language.

function spoken(sentence, sentences) {
  const text = sentences[sentence.key];
  return text ? filled(text, sentence.values) : sentence.text;
}

// A refusal: in the visitor's language where it has a key.
function refusal(found, sentences) {
  return found.said ? spoken(found.said, sentences) : found.error;
}
