// The sources of the course, by number, with one of them open.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { segment } from "../page/segments.js";
import { buttonOf, placed } from "./making.js";
import { OpenLesson } from "./open_lesson.js";

export class Sources {
  due = ""; // the lesson and the language that are on screen, or asked for
  loading = {};
  refused = false; // whether the note is about the lesson that was asked for just before
  /** @type {?OpenLesson} */
  lesson = null;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-course lg-sources lg-learning");
    this.note = element("p", "lg-refused");
    this.note.setAttribute("role", "alert");
    this.note.hidden = true;
    this.choice = element("div", "lg-lesson");
    this.body = element("div");
    const { words } = page.data;
    const back = buttonOf(words.course_all, () => page.store.dispatch({ type: "lesson", lesson: "" }), "lg-course-all");
    this.head = placed("lg-course-head", back, element("h2", "", words.sources), element("p", "", words.sources_text));
    this.root.append(this.head, this.note, this.choice, this.body);
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    const due = `${look.lesson} ${this.page.data.words.language_code}`;
    if (due === this.due) {
      this.lesson?.show(look);
      return;
    }
    this.due = due;
    this.load(Number(look.lesson) || 0); // "sources" is the first of them
  }

  close() {
    this.loading = {};
    this.lesson?.close();
    this.root.remove();
  }

  /**
   * Fetch a lesson, and show it as the visitor left it.
   * @param {number} number
   */
  async load(number) {
    const { body, page: { data: { subject, words }, store } } = this;
    const loading = this.loading = {};
    this.lesson?.close();
    this.lesson = null;
    body.setAttribute("aria-busy", "true");
    if (!body.firstChild) body.append(element("p", "lg-quiet", words.course_loading));
    const query = new URLSearchParams({ lesson: String(number), lang: words.language_code });
    const found = await answerOf(addressOf(subject, "course.json", query.toString()), () => this.loading === loading);
    if (!found) return;
    body.removeAttribute("aria-busy");
    if (found.error) {
      this.refuse(number, refusal(found, words));
      return;
    }
    this.note.hidden = !this.refused;
    this.refused = false;
    this.switchTo(number, found.lessons);
    this.lesson = new OpenLesson(number, found, this.page);
    body.replaceChildren(this.lesson.root);
    this.lesson.show(store.get());
  }

  /**
   * Say that there is no such lesson, and show the first one.
   * @param {number} number
   * @param {readonly (string | HTMLElement)[]} error
   */
  refuse(number, error) {
    this.note.replaceChildren(...error);
    this.note.hidden = false;
    this.refused = number !== 0;
    if (number) this.page.store.dispatch({ type: "lesson", lesson: "0" });
    else this.body.replaceChildren();
  }

  /**
   * The switch of lessons. Where it stands already it stays, and keeps the focus.
   * @param {number} lesson
   * @param {number} lessons
   */
  switchTo(lesson, lessons) {
    const { choice, page: { data: { words }, store } } = this;
    if (choice.dataset.language !== words.language_code) {
      const group = element("div", "lg-segments");
      group.setAttribute("role", "radiogroup");
      group.setAttribute("aria-label", words.sources);
      group.append(...Array.from({ length: lessons }, (_, number) => {
        const chosen = () => store.dispatch({ type: "lesson", lesson: String(number) });
        return segment("lg-lesson", number, filled(words.sources_one, { number }), chosen);
      }));
      choice.replaceChildren(group);
      choice.dataset.language = words.language_code;
    }
    for (const radio of choice.querySelectorAll("input")) radio.checked = Number(radio.value) === lesson;
  }
}
