// The shelf of lesson plans: built-in ones, and the teacher's own.

import { button } from "../layer/help.js";
import { VIEWS } from "../look/fields.js";
import { lookToQuery } from "../look/look.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { closeBeside } from "../page/dialog.js";
import { OWN } from "../plan/kept_plan.js";
import { faultOf, planFrom } from "../plan/reading.js";
import { Editor, OWN_LESSON } from "./editor.js";
import { openFile, saveLesson } from "./files.js";
import { MOST_STEPS, nothing, USUAL_MINUTES, withStep } from "./own.js";
import { OwnLesson } from "./own_lesson.js";

const AS_FILE = "plan-a-lesson#how-do-i-write-a-plan-as-a-file";

/** @typedef {import("../plan/reading.js").Plan} Plan */
/** @typedef {{text: string, plan: Plan}} Ready */

export class PlanShelf {
  /** @type {readonly Ready[]} */
  ready = [];

  /** @type {?OwnLesson} */
  lesson = null;

  language = ""; // of the plans that are there
  editing = false;
  undoable = false; // whether what was said last can be taken back

  /**
   * @param {HTMLElement} parent
   * @param {import("../plan_player/player.js").Player} player
   */
  constructor(parent, player) {
    this.player = player;
    this.page = player.page;
    this.dialog = element("dialog", "lg-class-dialog lg-plan-dialog");
    this.dialog.setAttribute("aria-labelledby", "lg-plan-title");
    closeBeside(this.dialog);
    this.status = element("p", "lg-plan-status");
    this.status.setAttribute("role", "status");
    this.editor = new Editor(this);
    this.readyPlace = element("section");
    this.hearing = new AbortController();
    window.addEventListener("storage", ({ key }) => {
      if (key === OWN || key === null) this.follow(); // null: all was cleared
    }, { signal: this.hearing.signal });
    parent.append(this.dialog);
  }

  get own() {
    return this.lesson ??= new OwnLesson(() => this.words.plan_untitled); // whose words come with the subject
  }

  get words() {
    return this.page.data.words;
  }

  open() {
    const before = this.own.plan;
    if (this.own.refresh()) this.editor.question.follow(before);
    this.editing = false;
    this.say("");
    if (this.own.lost) this.sayLost();
    this.draw();
    if (!this.dialog.open) this.dialog.showModal();
    this.fetch();
  }

  // Another tab of the same teacher wrote the lesson.
  follow() {
    const { lesson, dialog, editing } = this;
    if (!lesson) return;
    const before = lesson.plan;
    if (!lesson.refresh()) return;
    this.editor.question.follow(before);
    if (!dialog.open) return;
    this.say(""); // its undo was of the lesson before
    if (editing) this.editor.follow(before);
    else this.draw();
    this.keepFocus();
  }

  // A button that was drawn anew has lost it.
  keepFocus() {
    if (document.activeElement === document.body) this.dialog.querySelector("button")?.focus();
  }

  // The plans that come along, in the visitor's language.
  async fetch() {
    const { words, page: { mine: { subject } } } = this, language = words.language_code;
    if (this.language === language) return;
    const found = await answerOf(addressOf(subject, "plans.json", `lang=${language}`), () => this.dialog.open);
    if (!found?.plans) return;
    this.language = language;
    this.ready = found.plans.map(({ text }) => ({ text, plan: planFrom(text) }));
    if (this.editing) return;
    const waiting = this.readyPlace; // the visitor's own stay, and a press that is under way on them
    this.readyPlace = this.readyOnes();
    waiting.replaceWith(this.readyPlace);
    this.keepFocus();
  }

  draw() {
    const { words } = this, inside = element("div", "lg-help-page"), head = element("header");
    const title = element("h2", "", this.editing ? words.plan_mine : words.plan_title);
    title.id = "lg-plan-title";
    head.append(title, button("lg-help-close", words.close, () => this.dialog.close()));
    if (!this.editing) this.readyPlace = this.readyOnes();
    inside.append(head, ...(this.editing ? [this.editor.draw()] : [this.readyPlace, this.mine()]), this.status);
    this.dialog.replaceChildren(inside);
  }

  readyOnes() {
    const { words } = this, root = element("section"), list = element("ul", "lg-plan-list");
    const teaches = this.page.classroom?.now.role === "teacher";
    root.append(...(teaches ? [] : [element("p", "", words.plan_rehearse)]), element("h3", "", words.plan_ready), list);
    list.append(...this.ready.map(({ text, plan }) => {
      const start = button("lg-primary", words.plan_start, () => this.start(text));
      const copy = button("", words.plan_copy, () => this.replace(plan, words.plan_copied));
      start.setAttribute("aria-label", filled(words.plan_start_named, plan));
      copy.setAttribute("aria-label", filled(words.plan_copy_named, plan));
      return itemOf(plan, [start, copy], words);
    }));
    if (!this.ready.length) list.append(element("li", "", words.plan_loading));
    return root;
  }

  mine() {
    const { words, own: { plan, text } } = this, root = element("section", "lg-plan-mine");
    const some = plan.steps.length > 0;
    const buttons = [
      named("add", words.plan_add, () => this.add()),
      ...(some ? [named("start", words.plan_start, () => this.start(this.own.text)), named("edit", words.plan_edit, () => this.edit())] : []),
      named("open", words.plan_open, () => openFile((found) => this.take(found))),
      ...(some ? [named("save", words.plan_save, () => saveLesson(text, plan.title))] : []),
    ];
    root.append(element("h3", "", words.plan_mine), paragraph(withMore(words.plan_mine_text, OWN_LESSON, words)));
    const list = element("ul", "lg-plan-list");
    if (some) list.append(itemOf(plan, [], words));
    const doing = element("div", "lg-plan-doing");
    doing.append(...buttons);
    root.append(list, doing);
    return root;
  }

  // --- What can be done with them ----------------------------------------------------------------------------------

  /** @param {string} text */
  start(text) {
    this.dialog.close();
    this.player.start(text);
  }

  edit() {
    this.editing = true;
    this.say("");
    this.draw();
    this.editor.focus();
  }

  // The view on screen, with the model and the picture that a link may name.
  add() {
    const { words, own: { plan }, page } = this, { address } = page.data;
    if (plan.steps.length >= MOST_STEPS) return this.say(filled(words.plan_full, { most: MOST_STEPS }));
    const look = page.store.get(), net = address.weights === "pretrained" ? address.model : "";
    this.own.change(withStep(plan, {
      title: titleOf(look, words), look: lookToQuery({ ...look, present: false, embed: false }), minutes: USUAL_MINUTES, net, picture: address.sample ?? "",
      text: [], note: [], question: null, code: "",
    }));
    this.draw();
    return this.say(filled(words.plan_added, { step: this.own.plan.steps.length }), true);
  }

  /** @param {?string} text - of a file */
  take(text) {
    const { words } = this;
    if (text === null) return this.say(words.plan_not_text, false, AS_FILE);
    try {
      const plan = planFrom(text);
      return this.replace(plan, filled(words.plan_opened, plan));
    } catch (error) {
      return this.say(faultOf(error, words, filled), false, AS_FILE);
    }
  }

  /** @type {(plan: Plan, sentence: string) => void} */
  replace(plan, sentence) {
    const before = this.own.plan;
    this.own.change(plan);
    this.editor.question.follow(before);
    this.draw();
    this.say(sentence, true);
  }

  clear() {
    this.replace(nothing(this.words.plan_untitled), this.words.plan_cleared);
  }

  undo() {
    const before = this.own.plan;
    this.own.undo();
    this.editor.question.follow(before);
    this.say("");
    this.draw();
    this.dialog.querySelector("button")?.focus();
  }

  /** @type {(sentence: string, undoable?: boolean, document?: string) => void} */
  say(sentence, undoable = false, document = "") {
    const lost = this.own.kept ? "" : ` ${this.words.plan_not_kept}`, text = `${sentence}${sentence ? lost : ""}`;
    this.status.replaceChildren(...document ? withMore(text, document, this.words) : [text]);
    if (undoable) this.status.append(" ", named("undo", this.words.plan_undo, () => this.undo()));
  }

  // What cannot be read is kept for a file; opened, that file is refused with the line to correct.
  sayLost() {
    const { words, own } = this;
    this.say(words.plan_unread);
    this.status.append(
      " ", named("save_lost", words.plan_save, () => saveLesson(own.lost, "")),
      " ", named("forget_lost", words.plan_delete, () => {
        own.forgetLost();
        this.say("");
        this.keepFocus();
      }),
    );
  }

  close() {
    this.hearing.abort();
    this.dialog.remove();
  }
}

/** @type {(look: Look, words: Words) => string} */
function titleOf({ view, layer, channel }, words) {
  const name = view === "layer" ? "" : words[`view_${view}`];
  return [name, VIEWS[view].of_layer && layer, view === "layer" && channel !== null && filled(words.channel, { channel })].filter(Boolean).join(" · ");
}

/** @type {(plan: Plan, buttons: readonly HTMLElement[], words: Words) => HTMLElement} */
function itemOf({ title, about, steps }, buttons, words) {
  const item = element("li"), said = element("div"), doing = element("div", "lg-plan-doing");
  const minutes = steps.reduce((sum, step) => sum + step.minutes, 0);
  const small = `${filled(words.plan_about, { count: steps.length })} · ${filled(words.plan_minutes, { minutes })}`;
  said.append(element("h4", "", title), ...(about ? [element("p", "", about)] : []), element("small", "", small));
  doing.append(...buttons);
  item.append(said, doing);
  return item;
}

/** @type {(part: string, text: string, act: () => void) => HTMLButtonElement} */
function named(part, text, act) {
  const made = button("", text, act);
  made.dataset.part = `lesson_${part}`;
  return made;
}
