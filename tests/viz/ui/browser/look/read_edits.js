// What edits.js makes of texts, for the test that compares it with Python: a JSON list from standard input, one to it.

import { readFileSync } from "node:fs";

import { editsFrom, editsText } from "../../../../../viz/ui/browser/look/edits.js";

const texts = JSON.parse(readFileSync(0, "utf8"));
const found = texts.map((text) => {
  const edits = editsFrom(text);
  return edits && { edits, text: editsText(edits) };
});
process.stdout.write(JSON.stringify(found));
