// Who is in the class, for its teacher: who follows, who asks to lead, and a button that lets them.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";

export class StudentList {
  /**
   * @param {HTMLElement} parent
   * @param {import("./classroom.js").Classroom} classroom
   */
  constructor(parent, classroom) {
    this.classroom = classroom;
    this.dialog = element("dialog", "lg-class-dialog lg-class-students");
    this.title = element("h2");
    this.title.id = "lg-class-students-title";
    this.dialog.setAttribute("aria-labelledby", this.title.id);
    this.shut = button("lg-help-close", "", () => this.dialog.close());
    this.list = element("ul");
    const head = element("header");
    head.append(this.title, this.shut);
    const inside = element("div", "lg-help-page");
    inside.append(head, this.list);
    this.dialog.append(inside);
    this.dialog.addEventListener("click", ({ target }) => { if (target === this.dialog) this.dialog.close(); });
    parent.append(this.dialog);
  }

  open() {
    this.dialog.showModal();
    this.show(this.classroom.page.data.words);
  }

  /** @param {Words} words */
  show(words) {
    if (!this.dialog.open) return;
    const { students, state } = this.classroom.now;
    this.title.textContent = words.classroom_students;
    this.shut.textContent = words.close;
    const asking = [...students].sort((one, other) => Number(other.hand) - Number(one.hand) || one.number - other.number);
    const held = document.activeElement instanceof HTMLElement && this.list.contains(document.activeElement) ? document.activeElement.dataset.student : null;
    this.list.replaceChildren(...asking.map((each) => this.item(each, words, state?.lead === each.number)));
    if (!asking.length) this.list.append(element("li", "", words.classroom_nobody));
    /** @type {?HTMLElement} */
    const again = held ? this.list.querySelector(`[data-student="${held}"]`) : null;
    again?.focus({ preventScroll: true });
  }

  /** @type {(student: StudentState, words: Words, led: boolean) => HTMLElement} */
  item(student, words, led) {
    const item = element("li");
    const doing = !student.here ? words.classroom_away : student.hand ? words.classroom_asks : student.following ? words.classroom_follows : words.classroom_looks;
    item.append(element("b", "", filled(words.classroom_student, { number: student.number })), element("span", "", led ? words.classroom_leads : doing));
    const give = button("", led ? words.classroom_take_back : words.classroom_give_lead, () => {
      this.classroom.order({ do: "lead", student: led ? 0 : student.number });
      this.dialog.close();
    });
    give.dataset.student = String(student.number);
    give.setAttribute("aria-label", `${give.textContent}: ${filled(words.classroom_student, { number: student.number })}`);
    give.disabled = !student.here && !led;
    item.append(give);
    return item;
  }

  close() {
    this.dialog.remove();
  }
}
