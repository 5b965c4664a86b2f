// What the model saw, and its best predictions as bars.

import { addressOf, queryOf, seenAddress } from "../maps/addresses.js";
import { answerOf } from "../page/asking.js";
import { onceGone } from "../page/gone.js";
import { page } from "../stage/page.js";

const seens = new WeakMap();

class Seen {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "lg-seen";
    this.root.innerHTML = `<figure><div class="lg-seen-photo"><img><i class="lg-field" hidden></i></div><figcaption></figcaption></figure><div><h3></h3><ol></ol><p></p></div>`;
    parent.append(this.root);
    this.found = { top: [], changes: [] };
    this.stops = [page.listen((look) => this.show(look)), listen(this), () => this.root.remove()];
  }

  // The picture changes with the subject, the predictions also with the edits.
  async show(look) {
    const { subject, words } = page.data;
    const asked = addressOf(subject, "prediction.json", queryOf(look, ["edit"]));
    if (asked === this.asked && words === this.words) return;
    const other = asked !== this.asked;
    Object.assign(this, { asked, words });
    this.root.dataset.subject = subject;
    if (!other) return void this.draw();
    const found = await answerOf(asked, () => this.asked === asked);
    if (!found) return;
    this.found = { top: found.top ?? [], changes: found.error ? null : found.changes };
    this.draw();
  }

  // With edits, how they change the predictions; while the camera is live, `live` is what was predicted of a frame.
  draw(live = null) {
    const { words, root } = this;
    const { top, changes } = live ? { top: live.top, changes: [] } : this.found;
    const note = changes === null ? words.prediction_impossible : page.data.untrained ? words.prediction_untrained : top.length ? "" : words.no_prediction;
    const image = root.querySelector("img");
    const source = live ? `data:image/jpeg;base64,${live.seen}` : seenAddress(page.data.subject);
    if (image.getAttribute("src") !== source) image.src = source;
    image.alt = root.querySelector("figcaption").textContent = words.what_it_saw;
    root.querySelector("h3").textContent = changes?.length ? words.prediction_changed : words.prediction;
    root.querySelector("p").textContent = note;
    root.querySelector("ol").replaceChildren(...(changes === null ? [] : changes.length ? changes.map(change) : top.map(guess)));
  }
}

// Shows which pixels a number sees; while the camera is live, also what the model saw and predicted of each frame.
function listen(seen) {
  const heard = {
    "layerglass:field": ({ detail }) => frameSeen(seen.root, detail),
    "layerglass:live": ({ detail }) => {
      seen.draw({ seen: detail.seen, top: detail.top.map(([label, share]) => ({ label, share })) });
      frameSeen(seen.root, null);
    },
    "layerglass:live-end": () => seen.draw(),
  };
  for (const [name, act] of Object.entries(heard)) window.addEventListener(name, act);
  return () => Object.entries(heard).forEach(([name, act]) => window.removeEventListener(name, act));
}

// Frame the pixels that the number taken apart sees; the picture may leave a margin in its square.
function frameSeen(root, found) {
  const frame = root.querySelector(".lg-field");
  const image = root.querySelector("img");
  const [top, left, bottom, right] = found?.box ?? [0, 0, 0, 0];
  frame.hidden = bottom <= top;
  if (frame.hidden) return;
  const { clientWidth: width, clientHeight: height, naturalWidth, naturalHeight } = image;
  const scale = Math.min(width / naturalWidth, height / naturalHeight);
  const shown = { width: naturalWidth * scale, height: naturalHeight * scale };
  const [rows, columns] = found.size;
  Object.assign(frame.style, {
    top: `${(height - shown.height) / 2 + (shown.height * top) / rows}px`,
    left: `${(width - shown.width) / 2 + (shown.width * left) / columns}px`,
    height: `${(shown.height * (bottom - top)) / rows}px`,
    width: `${(shown.width * (right - left)) / columns}px`,
  });
}

// Before → after; a thin line marks where the bar was.
function change({ label, before, after }) {
  const item = guess({ label, share: after });
  const was = document.createElement("i");
  was.className = "lg-was";
  was.style.left = `${100 * before}%`;
  const shares = item.querySelectorAll("span");
  shares[1].before(was);
  shares[1].textContent = `${percents(before)} → ${percents(after)} %`;
  item.title = `${label}: ${(100 * before).toPrecision(3)} % → ${(100 * after).toPrecision(3)} %`;
  return item;
}

function percents(probability) {
  return (100 * probability).toFixed(probability >= 0.0995 ? 0 : 1);
}

function guess({ label, share: probability }) {
  const item = document.createElement("li");
  const name = document.createElement("span");
  const share = document.createElement("span");
  name.textContent = label;
  name.title = label;
  share.textContent = `${percents(probability)} %`;
  item.append(name, share);
  item.style.setProperty("--share", `${100 * probability}%`);
  return item;
}

// Streamlit starts it beside the picture's boxes; what it shows comes with the stage.
export default function ({ parentElement }) {
  if (!seens.has(parentElement)) seens.set(parentElement, new Seen(parentElement));
  return onceGone(parentElement, () => {
    seens.get(parentElement)?.stops.forEach((stop) => stop());
    seens.delete(parentElement);
  });
}
