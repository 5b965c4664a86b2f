// Parts of the stage for a class and a lesson.

import { AskDialog } from "../class_questions/ask_dialog.js";
import { AskedCard } from "../class_questions/asked_card.js";
import { MapMarks } from "../class_questions/map_marks.js";
import { ClassBar } from "../class_screen/bar.js";
import { ClassBoard } from "../class_screen/board.js";
import { Pointing } from "../class_screen/pointing.js";
import { Classroom } from "../classroom/classroom.js";
import { PlanShelf } from "../plan_shelf/shelf.js";
import { PlanBar } from "../plan_player/bar.js";
import { Caption } from "../plan_player/caption.js";
import { Player } from "../plan_player/player.js";
import { page } from "./page.js";

export class ClassParts {
  /** @type {?AskDialog} */
  questions = null;

  /** @type {?PlanShelf} */
  plans = null;

  /**
   * @param {import("./teaching.js").Places & {opener: HTMLButtonElement}} places - opener: of the board
   * @param {() => ?Feature} shown - the view
   * @param {string} code - of the class whose link has led here
   */
  constructor({ root, feature, opener, rows }, shown, code) {
    this.root = root;
    this.shown = shown;
    const classroom = this.classroom = page.classroom = new Classroom(page, code);
    this.player = new Player(page, classroom);
    this.board = new ClassBoard(root, opener, classroom, () => this.openPlans());
    const asks = { open: () => this.openQuestions() };
    this.bar = new ClassBar(rows.bar, classroom, this.board, asks);
    this.asked = new AskedCard(rows.asked, classroom, asks);
    this.marks = new MapMarks(feature, classroom, shown);
    this.rest = [new PlanBar(rows.plan, this.player), new Caption(rows.caption, classroom), new Pointing(feature, classroom, shown)];
  }

  // Follow the page to another look or language.
  show() {
    this.bar.show();
    this.asked.show();
    this.marks.follow();
  }

  // Open the teacher's dialog for questions.
  openQuestions() {
    this.questions ??= new AskDialog(this.root, this.classroom, this.shown);
    this.questions.open();
  }

  openPlans() {
    this.plans ??= new PlanShelf(this.root, this.player);
    this.plans.open();
  }

  close() {
    for (const part of [...this.rest, this.player, this.marks, this.asked, this.bar, this.board, this.classroom]) part.close();
    this.plans?.close();
  }
}
