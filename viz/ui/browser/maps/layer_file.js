// A layer from the server: its maps and their facts, in one PNG file.

import { asked as answerTo, GONE } from "../page/asking.js";
import { addressOf } from "./addresses.js";

const HEADED = 33; // bytes of a PNG file up to the end of its first chunk
const HEAD = "layerglass".length + 5; // of the text's chunk
/** @type {FinalizationRegistry<string>} */
const held = new FinalizationRegistry((source) => URL.revokeObjectURL(source));

// A layer, drawn as the query says. A refusal that lasts is a page with an `error`.
/** @type {(asked: import("./pages.js").Asked, prefetch: boolean, hurried: boolean) => Promise<Page>} */
export async function fetchPage({ subject, query }, prefetch, hurried) {
  const address = addressOf(subject, "layer.png", query);
  const answer = await answerTo(address, {
    headers: prefetch ? { "x-layerglass-prefetch": "1" } : {},
    cache: hurried ? "reload" : "default", // a browser's cache would let it wait for the prefetch
  });
  if (!answer.ok) {
    const { error, superseded, said, document } = await answer.json();
    const passing = [GONE, 429].includes(answer.status) || answer.status >= 500; // may succeed if asked again
    if (superseded || passing) throw new Error(error);
    return { subject, query, facts: null, error, said, document };
  }
  const file = await answer.arrayBuffer(), image = imageOf(file);
  image.dataset.address = address;
  const [facts] = await Promise.all([factsIn(file), prefetch ? image.decode() : loaded(image)]);
  return { subject, query, facts, image };
}

// The facts in a PNG file: a compressed text behind its first chunk.
// Source: PNG specification, third edition, section 11.3.3.3, iTXt.
/** @type {(file: ArrayBuffer) => Promise<LayerFacts>} */
function factsIn(file) {
  const size = new DataView(file).getUint32(HEADED);
  const packed = new Blob([new Uint8Array(file, HEADED + 8 + HEAD, size - HEAD)]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("deflate"))).json();
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
