// Pictures from the kernel: an image whose source is an answer's address asks for it, and says so until it has come.

import { askKernel } from "./kernel.js";

const ANSWER = /^maps\//;
/** @type {WeakMap<HTMLImageElement, {address: string, coming: Promise<void>, is: "coming" | "there" | "gone"}>} */
const asked = new WeakMap();

/** Let the images of this document come from the kernel, from now on. */
export function bringPictures() {
  const images = HTMLImageElement.prototype, { getAttribute } = images, { decode } = images;
  const source = described("src"), whole = described("complete");
  Object.defineProperties(images, {
    src: {
      configurable: true,
      get() { return asked.get(this)?.address ?? source.get?.call(this); },
      set(address) {
        asked.delete(this);
        if (ANSWER.test(address)) bring(this, address, (found) => source.set?.call(this, found));
        else source.set?.call(this, address);
      },
    },
    complete: { configurable: true, get() { return asked.get(this)?.is !== "coming" && whole.get?.call(this); } },
    getAttribute: {
      configurable: true,
      value(/** @type {string} */ name) { return (name === "src" && asked.get(this)?.address) || getAttribute.call(this, name); },
    },
    decode: {
      configurable: true,
      async value() {
        await asked.get(this)?.coming;
        return decode.call(this);
      },
    },
  });
}

/** @param {string} name */
function described(name) {
  return Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, name) ?? {};
}

/** @type {(image: HTMLImageElement, address: string, show: (source: string) => void) => void} */
function bring(image, address, show) {
  const entry = { address, coming: Promise.resolve(), is: /** @type {"coming" | "there" | "gone"} */ ("coming") };
  entry.coming = came();
  asked.set(image, entry);

  async function came() {
    const answer = await askKernel(address);
    const found = await answer.blob();
    if (asked.get(image) !== entry) return undefined; // another one is wanted by now
    entry.is = answer.ok ? "there" : "gone";
    if (!answer.ok) return void image.dispatchEvent(new Event("error"));
    const source = URL.createObjectURL(found);
    for (const event of ["load", "error"]) image.addEventListener(event, () => URL.revokeObjectURL(source), { once: true });
    show(source);
    return undefined;
  }
}
