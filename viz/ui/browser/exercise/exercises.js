// All exercises in a list, one of them open: a part of the course until its lessons open them.

import { buttonOf } from "../learning/making.js";
import { addressOf } from "../maps/addresses.js";
import { element } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { Exercise } from "./exercise.js";
import { keptOf } from "./kept.js";

export class Exercises {
  due = ""; // the language in which they are on screen, or asked for
  loading = {};
  /** @type {?Exercise} */
  open = null;
  /** @type {Map<string, HTMLElement>} */
  buttons = new Map();

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-exercises");
    root.append(this.root);
  }

  show() {
    const { language_code } = this.page.data.words;
    if (language_code === this.due) return;
    this.due = language_code;
    this.load();
  }

  close() {
    this.loading = {};
    this.open?.close();
    this.root.remove();
  }

  async load() {
    const { words, subject } = this.page.data;
    const loading = this.loading = {};
    const found = await answerOf(addressOf(subject, "exercises.json", `lang=${words.language_code}`), () => this.loading === loading);
    if (!found) return;
    const before = this.open?.id;
    this.open?.close();
    this.place = element("div");
    this.buttons = new Map();
    const heading = element("h2", "", words.exercises);
    this.root.replaceChildren(heading);
    if (found.error) {
      this.root.append(element("p", "lg-refused", said(found, "error", words)));
      return;
    }
    this.root.append(element("p", "", words.exercises_text), ...found.groups.map((group) => this.group(group)), this.place);
    if (before) this.choose(before);
  }

  /** @param {ExerciseGroup} group */
  group({ about, exercises }) {
    const made = element("div", "lg-exercise-group");
    const list = element("ul");
    list.append(...exercises.map(({ id, title }) => {
      const item = element("li");
      const button = buttonOf(title, () => this.choose(id));
      this.buttons.set(id, button);
      this.nameButton(id);
      item.append(button);
      return item;
    }));
    made.append(element("h3", "", about), list);
    return made;
  }

  /** @param {string} id */
  nameButton(id) {
    const { words } = this.page.data;
    const button = this.buttons.get(id);
    if (!button || !keptOf(id)?.solved || button.querySelector(".lg-done")) return;
    const sign = element("span", "lg-done", "✓");
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", words.exercise_done);
    button.append(" ", sign);
  }

  /** @param {string} id */
  choose(id) {
    if (!this.place) return;
    this.open?.close();
    for (const [each, button] of this.buttons) button.setAttribute("aria-pressed", String(each === id));
    this.open = new Exercise(this.place, this.page, id, (solved) => this.nameButton(solved));
  }
}
