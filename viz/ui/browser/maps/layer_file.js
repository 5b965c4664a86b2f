// A layer from the server: its maps and their facts, in one PNG file.

import { asked as answerTo, GONE } from "../page/asking.js";
import { addressOf } from "./addresses.js";

const HEADED = 33; // bytes of a PNG file up to the end of its first chunk
/** @type {FinalizationRegistry<string>} */
const held = new FinalizationRegistry((source) => URL.revokeObjectURL(source));

// A layer, drawn as the query says. A refusal that lasts is a page with an `error`.
/** @type {(asked: import("./pages.js").Asked, prefetch: boolean) => Promise<Page>} */
export async function fetchPage({ subject, query }, prefetch) {
  const address = addressOf(subject, "layer.png", query);
  const answer = await answerTo(address, { headers: prefetch ? { "x-layerglass-prefetch": "1" } : {} });
  if (!answer.ok) {
    const { error, superseded, said, document } = await answer.json();
    const passing = [GONE, 429].includes(answer.status) || answer.status >= 500; // may succeed if asked again
    if (superseded || passing) throw new Error(error);
    return { subject, query, facts: null, error, said, document };
  }
  const file = await answer.arrayBuffer(), image = imageOf(file);
  image.dataset.address = address;
  await (prefetch ? image.decode() : loaded(image));
  return { subject, query, facts: factsIn(file), image };
}

// The facts in a PNG file: a text behind its first chunk, which ends its own head with zeros.
// Source: PNG specification, third edition, section 11.3.3.3, iTXt.
/** @type {(file: ArrayBuffer) => LayerFacts} */
function factsIn(file) {
  const said = new Uint8Array(file, HEADED + 8, new DataView(file).getUint32(HEADED));
  return JSON.parse(new TextDecoder().decode(said.subarray(said.lastIndexOf(0) + 1)));
}

// An image of a file, which the browser holds as long as the image.
/** @param {ArrayBuffer} file */
function imageOf(file) {
  const image = new Image(), source = URL.createObjectURL(new Blob([file], { type: "image/png" }));
  held.register(image, source);
  image.src = source;
  return image;
}

// An image whose file is read. `decode` would wait for a frame or two beside the decoding; one that is to be shown at
// once is decoded with the frame that shows it.
/** @type {(image: HTMLImageElement) => Promise<void>} */
async function loaded(image) {
  image.decoding = "sync";
  if (!image.complete) await new Promise((done) => { image.onload = image.onerror = done; });
  if (!image.naturalWidth) throw new Error("the picture cannot be read");
}
