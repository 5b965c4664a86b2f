// The output of a notebook's cell: a frame with the page of one subject, and the line between it and the kernel.

const PAGE = "<!-- page -->";
const SILENCE_MS = 4000; // of a kernel that is busy or away, as where a saved notebook is read: then it is asked for a sign of life
const SIGN = -1; // that question
const HEIGHT = 720; // pixels at first; the lower edge can be pulled

/** @typedef {{get: (name: string) => any, set: (name: string, value: unknown) => void, save_changes: () => void, send: (content: object, callbacks?: unknown, buffers?: readonly (ArrayBuffer | DataView)[]) => void, on: (event: string, act: (...told: any[]) => void) => void, off: (event: string, act: (...told: any[]) => void) => void}} Model */

/** @param {{model: Model, el: HTMLElement}} given */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  const view = crypto.getRandomValues(new Uint32Array(2)).join("-"); // randomUUID is missing on a plain http page
  frame.title = "Layerglass";
  frame.style.cssText = `box-sizing: border-box; width: 100%; height: ${HEIGHT}px; min-height: 320px; resize: vertical; overflow: auto; border: 1px solid rgb(128 128 128 / 40%); border-radius: 6px;`;
  frame.allow = "clipboard-write";
  frame.srcdoc = PAGE;
  /** @type {(message: object, moved?: Transferable[]) => void} */
  const tell = (message, moved = []) => frame.contentWindow?.postMessage(message, "*", moved);
  const picture = document.createElement("img"), open = new Set();
  picture.style.cssText = "max-width: 100%; image-rendering: pixelated;";
  const drawStill = () => {
    picture.alt = `Feature maps, as they were looked at: ${model.get("look")}`;
    picture.src = `data:image/png;base64,${model.get("_still")}`;
  };
  let told = ""; // the look that this page chose last
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waits;
  /** @type {(silent: boolean) => void} */
  const show = (silent) => {
    frame.style.display = silent ? "none" : "block";
    picture.style.display = silent ? "block" : "none";
  };
  const wait = () => {
    clearTimeout(waits);
    waits = open.size ? setTimeout(askForSign, SILENCE_MS) : undefined;
  };
  // A large model may take longer than that, and its kernel still gives a sign.
  const askForSign = () => {
    model.send({ view, asked: SIGN });
    waits = setTimeout(show, SILENCE_MS, true);
  };
  /** @param {MessageEvent} event */
  const heard = ({ source, data }) => {
    if (source !== frame.contentWindow || !data?.layerglass) return;
    const { asked, address, method, headers, body, look, ready } = data;
    if (ready) {
      open.clear(); // the frame was loaded anew, and nobody waits for what it asked before
      tell({ subject: JSON.parse(model.get("_subject")), look: model.get("look"), dark: isDark(el) });
    }
    if (asked !== undefined) {
      open.add(asked);
      if (open.size === 1) wait();
      model.send({ view, asked, address, method, headers }, undefined, body ? [body] : []);
    }
    if (look === undefined || look === model.get("look")) return;
    told = look;
    model.set("look", look);
    model.save_changes();
  };
  /** @type {(answer: {view: string, answered: number, status: number, kind: string}, buffers: readonly DataView[]) => void} */
  const answered = (answer, [found]) => {
    if (answer.view !== view) return; // of the same look in another output
    open.delete(answer.answered);
    wait();
    show(false);
    if (answer.answered === SIGN) return;
    const { buffer, byteOffset, byteLength } = found;
    const body = buffer.slice(byteOffset, byteOffset + byteLength);
    tell({ ...answer, body }, body instanceof ArrayBuffer ? [body] : []);
  };
  const chosen = () => { if (model.get("look") !== told) tell({ look: model.get("look") }); };
  window.addEventListener("message", heard);
  model.on("msg:custom", answered);
  model.on("change:look", chosen);
  model.on("change:_still", drawStill);
  drawStill();
  show(false);
  el.append(frame, picture);
  return () => {
    clearTimeout(waits);
    window.removeEventListener("message", heard);
    model.off("msg:custom", answered);
    model.off("change:look", chosen);
    model.off("change:_still", drawStill);
  };
}

// Light text is for dark pages.
/** @param {HTMLElement} el */
function isDark(el) {
  const drawing = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  if (!drawing) return false;
  drawing.fillStyle = getComputedStyle(el).color; // in any of CSS's ways to write one
  drawing.fillRect(0, 0, 1, 1);
  const [red, green, blue] = drawing.getImageData(0, 0, 1, 1).data;
  return 0.299 * red + 0.587 * green + 0.114 * blue > 127;
}

export default { render };
