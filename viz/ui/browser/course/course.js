// The view of the course: contents, an open lesson, or sources, as the look says.

import { Exercises } from "../exercise/exercises.js";
import { Sources } from "../learning/sources.js";
import { addressOf } from "../maps/addresses.js";
import { element } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { contentsOf } from "./contents.js";
import { Player } from "./player.js";
import { kept } from "./progress.js";

export class Course {
  due = ""; // what is on screen, or asked for: the lesson, the picture and the language
  loading = {};
  /** @type {?Player} */
  player = null;
  /** @type {?Sources} */
  sources = null;
  /** @type {?Exercises} */
  exercises = null; // all of them, below the contents

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-course lg-learning");
    this.place = element("div");
    root.append(this.place);
  }

  // Actions of the arrow keys: they go through a lesson's steps.
  get keyed() {
    const { player } = this;
    return player ? { step: (/** @type {number} */ by) => player.go(by) } : {};
  }

  /** @param {Look} look */
  show(look) {
    const { subject, words } = this.page.data;
    if (isSource(look.lesson)) {
      this.leave("sources");
      this.sources ??= new Sources(this.place, this.page);
      this.sources.show(look);
      return;
    }
    const due = `${look.lesson} ${words.language_code} ${look.lesson ? subject : ""}`;
    if (due !== this.due) this.load(look, due);
    else this.player?.show(look);
  }

  /** @param {string} due */
  leave(due) {
    if (due === this.due) return;
    this.due = due;
    this.loading = {};
    this.player?.close();
    this.sources?.close();
    this.exercises?.close();
    Object.assign(this, { player: null, sources: null, exercises: null });
    this.place.replaceChildren();
  }

  /**
   * Fetch the due part, and show it.
   * @param {Look} look
   * @param {string} due
   */
  async load(look, due) {
    this.leave(due);
    const { page, root, place } = this;
    const { words } = page.data;
    const loading = this.loading = {};
    const wanted = () => this.loading === loading;
    root.replaceChildren(element("p", "lg-quiet", words.course_loading));
    place.replaceChildren(root);
    const contents = await answerOf(this.address("contents.json", ""), wanted);
    if (!contents) return;
    const lesson = look.lesson && !contents.error ? await answerOf(this.address("lesson_text.json", look.lesson), wanted) : null;
    if (!wanted()) return;
    const problem = contents.error ? contents : lesson?.error ? lesson : null;
    if (problem) {
      const note = refused(problem, words);
      note.setAttribute("role", "alert");
      root.replaceChildren(note);
    } else if (lesson) {
      this.player = new Player(lesson, contents.lessons, page);
      root.replaceChildren(this.player.root);
      this.player.show(page.store.get());
    } else {
      root.replaceChildren(contentsOf(contents.lessons, kept(), page));
      this.exercises = new Exercises(root, page);
      this.exercises.show();
    }
  }

  /**
   * @template {"contents.json" | "lesson_text.json"} Question
   * @param {Question} question
   * @param {string} lesson
   */
  address(question, lesson) {
    const { subject, words } = this.page.data;
    const query = { ...(lesson ? { lesson } : {}), lang: words.language_code };
    return addressOf(subject, question, new URLSearchParams(query).toString());
  }

  close() {
    this.leave("closed");
    this.place.remove();
  }
}

/** True if an address means one of the sources: a number, or their page. @param {string} lesson */
export function isSource(lesson) {
  return lesson === "sources" || /^[0-9]+$/.test(lesson);
}
