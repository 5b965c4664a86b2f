// A picture that is pasted, dropped anywhere on the page, or chosen: it goes the way of the sidebar's box.

import { inSidebar } from "./invitation.js";

const SIDEBAR = "[data-testid=stSidebar]";
const UPLOAD = `${SIDEBAR} [data-testid=stFileUploader] input[type=file]`; // Streamlit's; the picture's is the first
const BOX = "[data-testid=stFileUploaderDropzone]"; // Streamlit's, which takes what is dropped on it
const OWN = "textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])"; // what takes a paste itself

// Take pasted and dropped files until the returned function is called; `root` shows that one hovers.
/** @type {(root: HTMLElement) => () => void} */
export function bringPictures(root) {
  const ended = new AbortController(), { signal } = ended;
  let own = false; // what is dragged is a picture of the page itself
  /** @type {?EventTarget} */
  let entered = null; // it is entered before another part is left; Safari does not tell where what leaves goes
  /** @param {boolean} hovers */
  const show = (hovers) => root.toggleAttribute("data-bringing", hovers);
  /** @param {DragEvent} event */
  const over = (event) => {
    const taken = !own && takes(event);
    if (taken) event.preventDefault(); // else the browser would open the file in place of the page
    show(taken);
  };
  document.addEventListener("dragstart", () => { own = true; }, { signal });
  document.addEventListener("dragend", () => { own = false; }, { signal });
  document.addEventListener("dragover", over, { signal });
  document.addEventListener("dragenter", ({ target }) => { entered = target; }, { signal, capture: true });
  document.addEventListener("dragleave", ({ target }) => { if (target === entered) show(false); }, { signal, capture: true });
  document.addEventListener("drop", (event) => {
    show(false);
    if (own || !takes(event)) return;
    event.preventDefault();
    if (event.dataTransfer?.items[0]?.webkitGetAsEntry()?.isDirectory) return;
    void bring(event.dataTransfer?.files[0]);
  }, { signal });
  document.addEventListener("beforepaste", (event) => { // Safari pastes beside a text box only where this is prevented
    if (!(event.target instanceof Element && event.target.closest(OWN))) event.preventDefault();
  }, { signal });
  document.addEventListener("paste", ({ target, clipboardData }) => {
    if (!(target instanceof Element && target.closest(OWN))) void bring(clipboardData?.files[0]);
  }, { signal });
  return () => ended.abort();
}

// Files only, and where no box of Streamlit's takes them; a page without a sidebar has no box for a picture.
/** @param {DragEvent} event */
function takes({ target, dataTransfer }) {
  const elsewhere = !(target instanceof Element && target.closest(BOX));
  return elsewhere && Boolean(dataTransfer?.types.includes("Files")) && hasRoom();
}

// An open dialog is what the visitor is about.
function hasRoom() {
  return Boolean(document.querySelector(SIDEBAR)) && !document.querySelector("dialog:modal");
}

/** @param {File | undefined} file */
export async function bring(file) {
  const box = file && hasRoom() && await inSidebar(UPLOAD);
  if (!box) return;
  const held = new DataTransfer();
  held.items.add(file);
  box.files = held.files;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}
