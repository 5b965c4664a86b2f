// One student in the teacher's list. Its parts stay as long as they say and do the same: a button that were made anew
// while the teacher presses it would never hear of it, and in a class news come all the time.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";

export class StudentRow {
  about = ""; // what the buttons are for

  /**
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {() => void} shut - closes the list
   */
  constructor(classroom, shut) {
    this.classroom = classroom;
    this.shut = shut;
    this.root = element("li");
    this.name = element("b");
    this.doing = element("span");
    this.give = button("", "", () => {});
    this.buttons = element("span", "lg-class-doing");
    this.root.append(this.name, this.doing, this.buttons);
  }

  /** @type {(student: StudentState, words: Words, led: boolean) => void} */
  show(student, words, led) {
    const called = filled(words.classroom_student, { number: student.number });
    Object.assign(this.name, { textContent: student.nickname || called, title: called });
    this.doing.textContent = led ? words.classroom_leads : doingOf(student, words);
    const about = `${led} ${Boolean(student.nickname)} ${student.hidden} ${words.language_code}`;
    if (about !== this.about) {
      this.about = about;
      this.give = this.giving(student, words, led);
      this.buttons.replaceChildren(...this.hiding(student, words), this.give, this.removing(student, words));
    }
    this.give.disabled = !student.here && !led;
  }

  /** @type {(student: StudentState, words: Words, led: boolean) => HTMLButtonElement} */
  giving({ number }, words, led) {
    const give = button("", led ? words.classroom_take_back : words.classroom_give_lead, () => {
      this.classroom.order({ do: "lead", student: led ? 0 : number });
      this.shut();
    });
    give.dataset.student = String(number);
    return named(give, `student_lead_${number}`, number, words);
  }

  /** @type {(student: StudentState, words: Words) => HTMLElement[]} */
  hiding({ number, nickname, hidden }, words) {
    if (!nickname && !hidden) return [];
    const hide = button("", hidden ? words.asking_name_unhide : words.asking_name_hide, () => this.classroom.asking.order({ do: hidden ? "unhide" : "hide", student: number }));
    hide.dataset.hides = String(number);
    return [named(hide, `student_hide_${number}`, number, words)];
  }

  /** @type {(student: StudentState, words: Words) => HTMLElement} */
  removing({ number }, words) {
    const remove = button("", words.classroom_remove, () => this.classroom.order({ do: "remove", student: number }));
    remove.title = words.classroom_remove_title;
    return named(remove, `student_remove_${number}`, number, words);
  }
}

/** @type {(student: StudentState, words: Words) => string} */
function doingOf({ here, hand, following }, words) {
  if (!here) return words.classroom_away;
  if (hand) return words.classroom_asks;
  return following ? words.classroom_follows : words.classroom_looks;
}

// A button that says aloud whom it is about.
/** @type {(made: HTMLButtonElement, part: string, number: number, words: Words) => HTMLButtonElement} */
function named(made, part, number, words) {
  made.dataset.part = part;
  made.setAttribute("aria-label", `${made.textContent}: ${filled(words.classroom_student, { number })}`);
  return made;
}
