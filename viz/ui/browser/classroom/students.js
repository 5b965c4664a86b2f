// Who is in the class, for its teacher: who follows, who asks to lead, and a button that lets them.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";

export class StudentList {
  named = ""; // what is said of nicknames

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
    this.names = element("div");
    inside.append(head, this.names, this.list);
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
    const { names } = this.classroom.asking.now;
    if (this.named !== `${names} ${words.language_code}`) {
      const held = this.names.contains(document.activeElement);
      this.names.replaceChildren(this.naming(words));
      if (held) this.names.querySelector("input")?.focus();
    }
    this.named = `${names} ${words.language_code}`;
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
    item.append(this.name(student, words), element("span", "", led ? words.classroom_leads : doing));
    const give = button("", led ? words.classroom_take_back : words.classroom_give_lead, () => {
      this.classroom.order({ do: "lead", student: led ? 0 : student.number });
      this.dialog.close();
    });
    give.dataset.student = String(student.number);
    give.setAttribute("aria-label", `${give.textContent}: ${filled(words.classroom_student, { number: student.number })}`);
    give.disabled = !student.here && !led;
    const doings = element("span", "lg-class-doing");
    doings.append(...this.hiding(student, words), give);
    item.append(doings);
    return item;
  }

  // The nickname beside the number, if the teacher asks for nicknames.
  /** @type {(student: StudentState, words: Words) => HTMLElement} */
  name({ number, nickname }, words) {
    const called = filled(words.classroom_student, { number });
    const name = element("b", "", nickname || called);
    name.title = called;
    return name;
  }

  /** @type {(student: StudentState, words: Words) => HTMLElement[]} */
  hiding({ number, nickname, hidden }, words) {
    if (!nickname && !hidden) return [];
    const hide = button("", hidden ? words.asking_name_unhide : words.asking_name_hide, () => this.classroom.asking.order({ do: hidden ? "unhide" : "hide", student: number }));
    hide.dataset.hides = String(number);
    hide.setAttribute("aria-label", `${hide.textContent}: ${filled(words.classroom_student, { number })}`);
    return [hide];
  }

  // Nicknames for the whole class: asked for or not, and all of them hidden.
  /** @type {(words: Words) => HTMLElement} */
  naming(words) {
    const { asking } = this.classroom;
    const label = element("label", "lg-class-naming");
    const box = element("input");
    Object.assign(box, { type: "checkbox", checked: asking.now.names });
    box.dataset.part = "asking_names";
    box.onchange = () => asking.order({ do: box.checked ? "names" : "numbers" });
    label.append(box, document.createTextNode(words.asking_names));
    const all = button("", words.asking_name_hide_all, () => asking.order({ do: "hide" }));
    all.hidden = !asking.now.names;
    all.dataset.part = "asking_hide_all";
    const row = element("div", "lg-class-namings");
    row.append(label, all);
    return row;
  }

  close() {
    this.dialog.remove();
  }
}
