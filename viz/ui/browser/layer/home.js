// Files to take home: an offline page and an animation.

import { addressOf, allDrawnQuery, queryOf } from "../maps/addresses.js";

// An offline page opens on the layer in the look.
/** @type {(subject: string, look: Look, form: string, block: string, words: Words) => string} */
export function homeAddress(subject, look, form, block, words) {
  const first = form === "html" ? queryOf(look, ["layer", "call", "channel"]) : "";
  return addressOf(subject, `home.${form}`, allDrawnQuery(look), first, block && `block=${encodeURIComponent(block)}`, `lang=${words.language_code}`);
}

// The blocks that have several layers in them, outermost first, as the module tree has them.
/** @param {readonly string[]} names */
function blocksOf(names) {
  const inside = new Map();
  for (const name of names) {
    const steps = name.split(".");
    for (let depth = 1; depth < Math.min(steps.length, 3); depth += 1) {
      const block = steps.slice(0, depth).join(".");
      inside.set(block, (inside.get(block) ?? 0) + 1);
    }
  }
  return [...inside].filter(([, count]) => count > 1).map(([block]) => block);
}

/** @type {(subject: string, look: Look, names: readonly string[], words: Words) => HTMLElement} */
export function homeChoice(subject, look, names, words) {
  const root = document.createElement("span");
  root.className = "lg-home";
  root.append(`${words.home_label}: `);
  const box = document.createElement("select");
  box.setAttribute("aria-label", words.home_label);
  box.append(new Option(words.home_all, ""), ...blocksOf(names).map((block) => new Option(block, block)));
  const links = [["html", words.home_html], ["gif", words.home_gif]].map(([form, text]) => {
    const link = document.createElement("a");
    link.download = "";
    link.dataset.form = form;
    link.textContent = text;
    return link;
  });
  const write = () => links.forEach((link) => { link.href = homeAddress(subject, look, link.dataset.form ?? "", box.value, words); });
  box.onchange = write;
  write();
  root.title = words.home_note;
  root.append(box, ...links);
  return root;
}
