// The first script, which runs before Streamlit's own. That would answer Back and Forward with a run of the page's: the
// look's part of the page answers them itself, and asks for a run where another subject is wanted. Then it starts
// Streamlit.

import { watchArrival } from "./connection.js";
import { keepPresses } from "./press.js";
import { startShell } from "./shell.js";
import { removeSkeleton } from "./skeleton.js";
import { standing } from "./stands.js";

window.addEventListener("popstate", (event) => {
  event.stopImmediatePropagation();
  window.dispatchEvent(new Event("layerglass:returned"));
});
const there = standing();
const { fonts } = document;
const load = fonts.load.bind(fonts);
fonts.load = (font, text) => there.then(() => load(font, text)); // Streamlit asks for its icons before all else
watchArrival(there); // first: its sentence stands beside the skeleton
removeSkeleton(there);
keepPresses();
Reflect.deleteProperty(globalThis, "WebAssembly"); // the page's policy refuses it: Streamlit does without, and Firefox logs each try
startShell(there);
