// What the model saw, and its best predictions as bars.

import { addressOf } from "../maps/question.js";
import { onceGone } from "../page/gone.js";

const shown = new WeakMap();

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".lg-seen");
  if (!root) {
    root = document.createElement("div");
    root.className = "lg-seen";
    root.innerHTML = `<figure><div class="lg-seen-photo"><img><i class="lg-field" hidden></i></div><figcaption></figcaption></figure><div><h3></h3><ol></ol><p></p></div>`;
    parentElement.append(root);
    listen(root);
  }
  root.dataset.subject = data.subject;
  const now = { ...data, source: addressOf(data.subject, "seen.png") };
  shown.set(root, now);
  draw(root, now);
  return onceGone(parentElement, () => {
    root.stop();
    root.remove();
  });
}

// Shows which pixels a number sees; while the camera is live, also what the model saw and predicted of each frame.
function listen(root) {
  const heard = {
    "layerglass:field": ({ detail }) => frameSeen(root, detail),
    "layerglass:live": ({ detail }) => {
      const { title, heading, note } = shown.get(root);
      draw(root, { title, heading, note, changes: [], top: detail.top, source: `data:image/jpeg;base64,${detail.seen}` });
      frameSeen(root, null);
    },
    "layerglass:live-end": () => draw(root, shown.get(root)),
  };
  for (const [name, act] of Object.entries(heard)) window.addEventListener(name, act);
  root.stop = () => Object.entries(heard).forEach(([name, act]) => window.removeEventListener(name, act));
}

function draw(root, data) {
  const image = root.querySelector("img");
  if (image.getAttribute("src") !== data.source) image.src = data.source;
  image.alt = data.title;
  root.querySelector("figcaption").textContent = data.title;
  root.querySelector("h3").textContent = data.heading;
  root.querySelector("p").textContent = data.note;
  root.querySelector("ol").replaceChildren(...(data.changes.length ? data.changes.map(change) : data.top.map(guess)));
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
function change([label, before, after]) {
  const item = guess([label, after]);
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

function guess([label, probability]) {
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
