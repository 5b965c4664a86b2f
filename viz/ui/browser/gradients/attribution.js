// The map of one attribution method, over the model's input, as it is computed.

import { notCopied, partsOf, scriptAt, toClipboard } from "../layer/copying.js";
import { addressOf, queryOf, seenAddress } from "../maps/addresses.js";
import { element, filled, find, readable } from "../maps/mosaic.js";
import { FORMS } from "../look/fields.js";
import { percentSlider } from "../maps/percent_slider.js";
import { refusal, tell, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { factsOf, isOfLayer, MethodBox, nameOf, nothingIn } from "./method.js";

const KEPT = 64;
const CONFIRMED_MS = 2500;

/** @typedef {Answer & Partial<ExplanationFacts>} Told */
/** @typedef {Address<"attribution.json">} Asked */

export class Attribution {
  /** @type {Map<string, ExplanationFacts>} */
  known = new Map(); // what has come to its end

  /** @type {Asked} */
  address = ""; // of what is wanted

  /** @type {?Look} */
  look = null;

  /** @type {Words} */
  words = {};

  /** @type {?Told} */
  told = null;

  /**
   * @param {HTMLElement} parent
   * @param {(action: Action) => void} choose
   */
  constructor(parent, choose) {
    this.root = element("section", "lg-attribution");
    this.box = new MethodBox(choose);
    this.figure = photoFigure();
    this.strength = percentSlider(FORMS.strength.most, { moved: (share) => this.root.style.setProperty("--strength", String(share)), chosen: (strength) => choose({ type: "strength", strength }) });
    this.code = element("button", "lg-method-code");
    this.code.type = "button";
    this.code.onclick = () => this.copyCode();
    this.copied = element("p", "lg-method-copied");
    this.copied.setAttribute("role", "status");
    const foot = element("div", "lg-method-foot");
    foot.append(this.strength.root, this.code);
    this.root.append(this.box.root, this.figure.root, this.box.settings, foot, this.copied);
    parent.append(this.root);
  }

  // Take the look and the subject; only changes are asked for.
  /** @type {(look: Look, data: SubjectFacts) => void} */
  follow(look, { subject, words }) {
    const spoken = this.words !== words;
    Object.assign(this, { look, words });
    this.strength.name(words.strength);
    this.strength.follow(look.strength);
    this.code.textContent = words.copy_code;
    this.box.show(look, words);
    this.figure.photo(seenAddress(subject));
    const address = addressOf(subject, "attribution.json", methodQuery(look));
    if (this.address === address) return void (spoken && this.draw());
    this.address = address;
    this.told = null;
    this.copied.textContent = "";
    this.code.disabled = true;
    this.figure.wait();
    this.ask(address);
  }

  // Ask until all is known, or until something else is wanted: the server works only while it is asked.
  /** @param {Asked} address */
  async ask(address) {
    for (let found = this.known.get(address); ;found = undefined) {
      const told = found ?? await answerOf(address, () => this.address === address);
      if (!told) return;
      this.told = told;
      this.draw();
      if (told.error !== undefined) return; // the reason may have gone by the next time
      if (told.done < told.total) continue;
      this.keep(address, told);
      return;
    }
  }

  /** @type {(address: string, found: ExplanationFacts) => void} */
  keep(address, found) {
    this.known.set(address, found);
    if (this.known.size > KEPT) this.known.delete([...this.known.keys()][0]);
  }

  draw() {
    const { told, look, words } = this;
    if (!told || !look) return;
    const found = told.error === undefined ? /** @type {ExplanationFacts} */ (told) : null;
    if (found) this.box.set(look, found, words);
    this.code.disabled = !found || found.done < found.total;
    const label = `${words.copy_code}: ${nameOf(look.method, words)}`;
    this.code.title = label;
    this.code.setAttribute("aria-label", label);
    this.figure.draw(look.method, told, found, words);
  }

  // The method as a script, with the settings on screen.
  async copyCode() {
    const { words, address } = this;
    /** @param {(string | HTMLElement)[]} parts */
    const say = (...parts) => { if (this.address === address) this.copied.replaceChildren(...parts); };
    try {
      if (!await toClipboard(scriptAt(address.replace("attribution.json", "attribution.py"), words))) return say(...notCopied(words));
      this.code.textContent = words.copied;
      setTimeout(() => { this.code.textContent = this.words.copy_code; }, CONFIRMED_MS);
      return say(words.method_copied);
    } catch (refused) {
      return say(...partsOf(refused, words));
    }
  }

  close() {
    this.address = "";
  }
}

// Fields of a look that a method depends on: the layer only if the method looks at the one on screen.
/** @param {Look} look */
function methodQuery(look) {
  const { method, at } = look;
  const settings = { "grad-cam": [], saliency: [], "integrated-gradients": ["steps"], occlusion: ["window", "stride"], conductance: ["steps"], "attention-rollout": ["lay"], "attention-relevance": ["lay"] }[method];
  const layer = !isOfLayer(method) ? [] : at === "layer" ? ["at", "layer", "call", "lay"] : ["at", "lay"];
  return queryOf(look, /** @type {(keyof Look)[]} */ (["view", "edit", "target", "training", "method", ...settings, ...layer]));
}

function photoFigure() {
  const root = element("figure");
  root.innerHTML = `<div><img class="lg-under" alt=""><img class="lg-over"></div>
    <figcaption><span class="lg-method-legend"><span></span><img class="lg-legend-bar" alt=""><span></span></span><span class="lg-progress"><progress></progress><span></span></span><span class="lg-method-facts"></span><span class="lg-method-problem" role="status"></span></figcaption>`;
  const [under, over, bar] = [find(root, "img.lg-under"), find(root, "img.lg-over"), find(root, "img.lg-legend-bar")];
  const [legend, progress] = [find(root, "span.lg-method-legend"), find(root, "span.lg-progress")];
  const [facts, problem] = [find(root, "span.lg-method-facts"), find(root, "span.lg-method-problem")];
  const [low, high] = [legend.firstElementChild, legend.lastElementChild];
  return {
    root,
    /** @param {string} source */
    photo: (source) => { if (under.getAttribute("src") !== source) under.src = source; },
    wait: () => {
      root.setAttribute("aria-busy", "true");
      legend.hidden = progress.hidden = true;
      facts.textContent = problem.textContent = "";
    },
    /** @type {(method: Look["method"], told: Told, found: ?ExplanationFacts, words: Words) => void} */
    draw: (method, told, found, words) => {
      root.removeAttribute("aria-busy");
      over.hidden = legend.hidden = !found;
      const nothing = found?.empty && found.done === found.total ? nothingIn(method, found, words) : "";
      const refused = told.error !== undefined && !told.of_edit; // if an edit is the reason, the maps beside this say so
      tell(problem, refused ? refusal(told, words) : withMore(nothing, "why-this-class#why-is-the-map-black", words));
      progress.hidden = !found || found.done === found.total;
      facts.textContent = found ? factsOf(method, found, words, readable) : "";
      if (!found) return;
      root.dataset.signed = String(found.signed);
      const name = nameOf(method, words);
      over.alt = found.layer ? `${name}: ${found.layer}` : name;
      over.dataset.done = String(found.done === found.total);
      over.src = `data:image/png;base64,${found.png}`;
      bar.src = `data:image/png;base64,${found.bar}`;
      if (low) low.textContent = found.signed ? filled(words.method_against, { low: readable(found.low) }) : "0";
      if (high) high.textContent = found.signed ? filled(words.method_for, { high: readable(found.high) }) : words.method_most;
      const [run, far] = [find(progress, "progress"), filled(words.method_progress, { done: found.done, total: found.total })];
      Object.assign(run, { max: found.total, value: found.done, ariaLabel: far });
      find(progress, "span").textContent = far;
    },
  };
}
