// Files to take home: an offline page and an animation, of all layers or of one block of them.

import { addressOf } from "../maps/question.js";

export function homeAddress({ subject, look, words }, form, block) {
  return addressOf(subject, `home.${form}`, { ...look, block, lang: words.language_code });
}

// The blocks that have several layers in them, outermost first, as the module tree has them.
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

export function homeChoice(data, names) {
  const { words } = data;
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
  const write = () => links.forEach((link) => { link.href = homeAddress(data, link.dataset.form, box.value); });
  box.onchange = write;
  write();
  root.title = words.home_note;
  root.append(box, ...links);
  return root;
}
