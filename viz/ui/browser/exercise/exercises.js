// A list of exercises with one open: all of them, or those of a lesson.

import { buttonOf, placed } from "../learning/making.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { Exercise } from "./exercise.js";
import { keptOf } from "./kept.js";

/** @typedef {import("./exercise.js").Onward} Onward */

const LESSON = "lg-exercise-lesson"; // a lesson's exercises, with the one that is open

export class Exercises {
  due = ""; // the language in which they are on screen, or asked for
  loading = {};
  /** @type {?Exercise} */
  open = null;
  /** @type {Map<string, HTMLElement>} */
  buttons = new Map();
  /** @type {Map<string, string>} */
  titles = new Map(); // of those in the list, in its order

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   * @param {?readonly string[]} [ids] - those of a lesson; without them, all
   * @param {?Onward} [after] - what comes after the last of them
   */
  constructor(root, page, ids = null, after = null) {
    this.page = page;
    this.ids = ids;
    this.after = after;
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
    this.titles = new Map();
    const heading = element("h2", "", words.exercises);
    this.root.replaceChildren(heading);
    if (found.error) {
      this.root.append(refused(found, words));
      return;
    }
    const lessons = this.ids ? [placed(LESSON, this.list(this.ofLesson(found.groups, this.ids)))] : found.groups.map((group) => this.group(group));
    this.root.append(element("p", "", words.exercises_text), ...lessons);
    if (before) this.choose(before);
  }

  /** @param {ExerciseGroup} group */
  group({ about, exercises }) {
    return placed(LESSON, element("h3", "", about), this.list(exercises));
  }

  /**
   * The exercises with these ids, in the lesson's order.
   * @param {readonly ExerciseGroup[]} groups
   * @param {readonly string[]} ids
   */
  ofLesson(groups, ids) {
    const all = groups.flatMap(({ exercises }) => exercises);
    return ids.flatMap((id) => all.filter((each) => each.id === id));
  }

  /** @param {readonly ExerciseName[]} exercises */
  list(exercises) {
    const list = element("ul", "lg-exercise-group");
    list.append(...exercises.map(({ id, title }) => {
      const item = element("li");
      const button = buttonOf(title, () => this.choose(id));
      this.buttons.set(id, button);
      this.titles.set(id, title);
      this.nameButton(id);
      item.append(button);
      return item;
    }));
    return list;
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

  /**
   * The way on after an exercise: to the next in the list, or to `after` behind the last.
   * @param {string} id
   * @returns {?Onward}
   */
  nextOf(id) {
    const ids = [...this.titles.keys()];
    const next = ids[ids.indexOf(id) + 1];
    if (next === undefined) return this.after;
    return { label: filled(this.page.data.words.exercise_next, { title: this.titles.get(next) ?? "" }), go: () => this.choose(next) };
  }

  // The exercise opens right below its lesson's others, which go to the top: what closes above must not carry it away.
  /** @param {string} id */
  choose(id) {
    if (!this.place) return;
    this.open?.close();
    for (const [each, button] of this.buttons) button.setAttribute("aria-pressed", String(each === id));
    const lesson = this.buttons.get(id)?.closest(`.${LESSON}`);
    lesson?.append(this.place);
    const open = this.open = new Exercise(this.place, this.page, id, { solved: (solved) => this.nameButton(solved), next: this.nextOf(id) });
    open.opened.then(() => { if (this.open === open) lesson?.scrollIntoView(); });
  }
}
