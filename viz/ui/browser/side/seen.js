// The picture with the model's frame, and the best predictions as bars.

import { addressOf, photoAddress, queryOf, seenAddress } from "../maps/addresses.js";
import { closestTo, element, filled, find, perCent } from "../maps/mosaic.js";
import { said, tell, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { onceRemoved } from "../page/removed.js";
import { onceConnected } from "../page/sending.js";
import { standing } from "../page/stands.js";
import { page } from "../stage/page.js";
import { Frame } from "./frame.js";

/** @type {WeakMap<HTMLElement, Seen>} */
const seens = new WeakMap();
const ask = onceConnected();

export class Seen {
  asked = "";
  /** @type {Words} */
  words = {};

  /** @type {Pick<PredictionFacts, "top" | "changes" | "meaning" | "problem" | "reason" | "said">} */
  found = { top: [], changes: [], meaning: "", problem: "", reason: "" };

  /** Tells Python. @type {(crop: string) => void} */
  ask = () => {};

  picture = ""; // the name of the one that is on screen
  photo = ""; // where it is

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("div", "lg-seen");
    this.root.innerHTML = `<figure><div class="lg-seen-photo"><img class="lg-whole" alt=""></div><figcaption></figcaption><button type="button" class="lg-crop-reset"></button></figure><div><header><h3></h3><button type="button" class="lg-why"></button></header><ol></ol><p></p><p class="lg-knows"></p></div>`;
    parent.append(this.root);
    this.whole = find(this.root, "img.lg-whole");
    this.frame = new Frame(find(this.root, "div.lg-seen-photo"), (crop) => this.ask(crop));
    this.whole.onload = () => { if (this.whole.getAttribute("src") === this.photo) this.whole.classList.remove("lg-old"); };
    this.image = element("img", "lg-saw");
    this.image.alt = ""; // until it shows something
    this.image.onload = () => { if ("live" in this.root.dataset || this.image.getAttribute("src") === seenAddress(page.data.subject)) this.image.classList.remove("lg-old"); };
    const field = element("i", "lg-field");
    field.hidden = true;
    this.frame.root.prepend(this.image, field);
    this.reset = find(this.root, "button.lg-crop-reset");
    this.reset.onclick = () => this.frame.reset();
    this.why = find(this.root, "button.lg-why");
    this.why.onclick = () => lookBack(null);
    find(this.root, "ol").onclick = (event) => this.clicked(event);
    this.stops = [page.listen((look) => this.show(look)), listen(this), () => this.frame.close(), () => this.root.remove()];
  }

  close() {
    this.stops.forEach((stop) => stop());
  }

  // The picture changes with the subject, the predictions also with the edits.
  /** @param {Look} look */
  async show(look) {
    const { subject, words } = page.data;
    const asked = addressOf(subject, "prediction.json", queryOf(look, ["edit"]));
    this.place();
    if (asked === this.asked && words === this.words) return;
    const other = asked !== this.asked;
    Object.assign(this, { asked, words });
    this.root.dataset.subject = subject;
    if (!other) return void this.draw();
    const found = await answerOf(asked, () => this.asked === asked);
    if (!found) return;
    this.found = found.error ? { top: [], changes: null, meaning: "", problem: "", reason: "" } : found;
    this.draw();
  }

  // The frame on the whole picture, which is fetched once; what the model saw of another part is on its way.
  place() {
    const { frame, picture, subject, words } = page.data;
    if (this.root.dataset.subject !== subject) this.image.classList.add("lg-old");
    this.root.toggleAttribute("data-framed", frame !== null);
    if (frame && picture !== this.picture) this.fetch(picture, photoAddress(subject));
    find(this.root, "div.lg-seen-photo").style.setProperty("--shape", String(frame ? frame.width / frame.height : 1));
    this.frame.show(frame, words);
    this.reset.hidden = !frame?.crop;
    this.reset.textContent = String(words.frame_reset);
  }

  // The picture before is not seen any more: the frame is not its own.
  /** @type {(picture: string, photo: string) => void} */
  fetch(picture, photo) {
    Object.assign(this, { picture, photo });
    this.whole.classList.add("lg-old");
    standing().then(() => { if (this.photo === photo) this.whole.src = photo; });
  }

  // With edits, their changes of the predictions; while the camera is live, `live` has those of a frame.
  /** @param {{seen: string, top: readonly Share[]}} [live] */
  draw(live) {
    const { words, root, image } = this;
    const { top, changes } = live ? { top: live.top, changes: [] } : this.found;
    const best = changes?.length ? { label: changes[0].label, share: changes[0].after } : top[0];
    const source = live ? `data:image/jpeg;base64,${live.seen}` : seenAddress(page.data.subject);
    standing().then(() => {
      if (page.data.subject !== root.dataset.subject) return;
      if (image.getAttribute("src") === source) image.classList.remove("lg-old");
      else image.src = source;
    });
    page.guessed({ text: best ? `${best.label} ${perCent(percents(best.share))}` : "", picture: source });
    root.toggleAttribute("data-live", live !== undefined);
    image.alt = find(root, "figcaption").textContent = words.what_it_saw;
    find(root, "h3").textContent = changes?.length ? words.prediction_changed : words.prediction;
    this.why.hidden = Boolean(live) || page.data.untrained || top.length === 0;
    Object.assign(this.why, { textContent: words.why, title: words.why_title });
    tell(find(root, "p"), noteOn(this.found, { top, changes, live: live !== undefined }, words));
    find(root, "p.lg-knows").replaceChildren(...knows(page.data, top.length > 0));
    find(root, "ol").replaceChildren(...(changes === null ? [] : changes.length ? changes.map(change) : top.map(guess)));
    root.toggleAttribute("data-why", !this.why.hidden);
  }

  // A click on a class asks where that one is seen; the button says the same of the best.
  /** @param {MouseEvent} event */
  clicked(event) {
    const item = closestTo(event, "li");
    if (!item || this.why.hidden) return;
    const label = find(item, "span").textContent;
    const place = this.found.top.find((each) => each.label === label)?.place;
    if (place !== undefined) lookBack(place);
  }
}

// What is to be said of the predictions, with a link where a document says more.
/** @type {(found: Seen["found"], shown: {top: readonly Share[], changes: Seen["found"]["changes"], live: boolean}, words: Words) => (string | HTMLElement)[]} */
function noteOn(found, { top, changes, live }, words) {
  if (changes === null) return withMore(words.prediction_impossible, "change-the-model#how-do-i-take-an-edit-back", words);
  if (!top.length) return withMore(said(found, "problem", words), "why-this-class#and-of-a-detector-a-segmentation-a-regression", words);
  const reason = said(found, "reason", words);
  return reason ? withMore(reason, "open-a-file#what-if-the-last-layer-has-another-number-of-classes", words) : [meansOf(live ? "" : found.meaning, words)];
}

// The meaning of the shares, where that is not plain: the model is untrained, or they come from no softmax of ours.
/** @type {(meaning: string, words: Words) => string} */
function meansOf(meaning, words) {
  if (page.data.untrained) return words.prediction_untrained;
  /** @type {Record<string, string>} */
  const said = { probabilities: words.meaning_probabilities, "log-probabilities": words.meaning_logarithms, labels: words.meaning_labels, "label-logits": words.meaning_labels };
  return said[meaning] ?? "";
}

// The view that shows where a class is seen; null is the best one of the picture.
/** @param {?number} target */
function lookBack(target) {
  page.store.dispatch({ type: "target", target, view: "gradients" });
}

// Show the pixels that a number sees; while the camera is live, also each frame's input and predictions.
/** @param {Seen} seen */
function listen(seen) {
  const hearing = new AbortController();
  const { signal } = hearing;
  window.addEventListener("layerglass:field", ({ detail }) => frameSeen(seen, detail), { signal });
  window.addEventListener("layerglass:live", ({ detail }) => {
    seen.draw(detail);
    frameSeen(seen, null);
  }, { signal });
  window.addEventListener("layerglass:live-end", () => seen.draw(), { signal });
  return () => hearing.abort();
}

// Frame the pixels that the number taken apart sees; the picture may leave a margin in its square.
/** @type {(seen: Seen, field: ?Field) => void} */
function frameSeen({ root, image }, field) {
  const frame = find(root, "i.lg-field");
  const { top, left, bottom, right } = field?.box ?? { top: 0, left: 0, bottom: 0, right: 0 };
  frame.hidden = bottom <= top;
  if (!field || frame.hidden) return;
  const { clientWidth: width, clientHeight: height, naturalWidth, naturalHeight } = image;
  const scale = Math.min(width / naturalWidth, height / naturalHeight);
  const shown = { width: naturalWidth * scale, height: naturalHeight * scale };
  const { size } = field;
  Object.assign(frame.style, {
    top: `${(height - shown.height) / 2 + (shown.height * top) / size.height}px`,
    left: `${(width - shown.width) / 2 + (shown.width * left) / size.width}px`,
    height: `${(shown.height * (bottom - top)) / size.height}px`,
    width: `${(shown.width * (right - left)) / size.width}px`,
  });
}

// Before → after; a thin line marks where the bar was.
/** @param {PredictionChange} change */
function change({ label, before, after }) {
  const item = guess({ label, share: after });
  const was = element("i", "lg-was");
  was.style.left = `${100 * before}%`;
  const shares = item.querySelectorAll("span");
  shares[1].before(was);
  shares[1].textContent = `${percents(before)} → ${perCent(percents(after))}`;
  item.title = `${label}: ${perCent((100 * before).toPrecision(3))} → ${perCent((100 * after).toPrecision(3))}`;
  return item;
}

// Facts of any model's limits: its number of classes, and its few pixels of a picture.
/** @type {(data: SubjectFacts, guesses: boolean) => HTMLElement[]} */
function knows({ classes, input: [height, width], signal, words }, guesses) {
  const size = signal ? `${width}` : `${width}\u00a0×\u00a0${height}`;
  const kinds = guesses ? [filled(words.knows_kinds, { kinds: classes.toLocaleString(page.data.words.language_code?.toString()) })] : [];
  return [...kinds, filled(signal ? words.saw_values : words.saw_pixels, { size })].map((text) => element("span", "", text));
}

/** @param {number} probability */
function percents(probability) {
  return (100 * probability).toFixed(probability >= 0.0995 ? 0 : 1);
}

/** @param {Share} share */
function guess({ label, share: probability }) {
  const item = element("li");
  const name = element("span", "", label);
  name.title = label;
  item.append(name, element("span", "", perCent(percents(probability))));
  item.style.setProperty("--share", `${100 * probability}%`);
  return item;
}

// Streamlit starts it beside the picture's boxes; its contents come with the stage.
/** @param {PartGiven<PartFacts>} given */
export default function ({ parentElement, setTriggerValue }) {
  const seen = seens.get(parentElement) ?? new Seen(parentElement);
  seens.set(parentElement, seen);
  seen.ask = (crop) => void ask(() => setTriggerValue("crop", { crop }));
  return onceRemoved(parentElement, () => {
    seens.get(parentElement)?.close();
    seens.delete(parentElement);
  });
}
