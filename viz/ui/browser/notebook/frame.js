// The page of one subject in a notebook: the stage and the layer's choice, answered by the kernel.

import { lookFromQuery, lookToQuery } from "../look/look.js";
import { place } from "../look/place.js";
import { element } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { saveFile } from "../page/saving.js";
import { default as drawSeen } from "../side/seen.js";
import { page } from "../stage/page.js";
import { default as drawSide } from "../stage/side.js";
import { default as drawStage } from "../stage/stage.js";
import { askKernel, takeAnswer, tell } from "./kernel.js";
import { bringPictures } from "./pictures.js";

const QUIET_MS = 100; // a held key makes more looks than a notebook need hear of

/** @typedef {{subject?: SubjectFacts, look?: string, dark?: boolean}} Told */

globalThis.fetch = askKernel;
bringPictures();
document.addEventListener("click", download, { capture: true });
window.addEventListener("message", ({ source, data }) => {
  if (source === window.parent && !takeAnswer(data)) take(data);
});
tell({ ready: true });

/** @param {Told} told */
function take({ subject, look, dark }) {
  if (dark !== undefined) document.documentElement.style.colorScheme = dark ? "dark" : "light";
  if (subject) begin(subject, look ?? "");
  else if (look !== undefined && look !== shown()) page.store.dispatch({ type: "link", look: lookFromQuery(look).look });
}

/** @type {(subject: SubjectFacts, look: string) => void} */
function begin(subject, look) {
  document.documentElement.toggleAttribute("data-given", !subject.donors.length); // no other picture has this input
  place.history.replaceState(null, "", `?${look}`);
  const side = element("aside"), main = element("main");
  side.dataset.testid = "stSidebar";
  main.dataset.testid = "stMain";
  document.body.append(side, main);
  for (const [draw, parentElement] of /** @type {const} */ ([[drawSeen, side], [drawSide, side], [drawStage, main]])) {
    draw({ data: /** @type {any} */ (subject), parentElement, setTriggerValue: () => {} });
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  page.listen(() => {
    clearTimeout(resting);
    resting = setTimeout(() => tell({ look: shown() }), QUIET_MS);
  });
}

function shown() {
  return lookToQuery(page.store.get());
}

// A link to an answer is a file to take home: no server has it.
/** @param {MouseEvent} event */
async function download(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const address = link?.getAttribute("href") ?? "";
  if (!link || !address.startsWith("maps/")) return;
  event.preventDefault();
  const answer = await askKernel(address);
  if (!answer.ok) return void page.say(said(await answer.json(), "error", page.data.words));
  const name = link.download || /[^/?]+(?=\?|$)/.exec(address)?.[0] || "file";
  saveFile(await answer.blob(), name);
  return undefined;
}
