// Who is in the class, for its teacher: who follows, who asks to lead, and a button that lets them.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";

export class StudentList {
  ruled = ""; // what is said of the whole class

  /**
   * @param {HTMLElement} parent
   * @param {import("../classroom/classroom.js").Classroom} classroom
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
    this.rules = element("div");
    inside.append(head, this.rules, this.list);
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
    this.showRules(words);
    this.shut.textContent = words.close;
    const asking = [...students].sort((one, other) => Number(other.hand) - Number(one.hand) || one.number - other.number);
    const held = heldIn(this.list);
    this.list.replaceChildren(...asking.map((each) => this.item(each, words, state?.lead === each.number)));
    if (!asking.length) this.list.append(element("li", "", words.classroom_nobody));
    if (held) focusOn(this.list, held, this.shut); // whom the teacher removed has no button any more
  }

  // Who may join, and what is asked for and shown of nicknames.
  /** @param {Words} words */
  showRules(words) {
    const { now: { shut, nameless }, asking: { now: { names } } } = this.classroom;
    const ruled = `${names} ${nameless} ${shut} ${words.language_code}`;
    if (this.ruled === ruled) return;
    this.ruled = ruled;
    const held = heldIn(this.rules);
    this.rules.replaceChildren(this.door(words), this.naming(words));
    if (held) focusOn(this.rules, held, this.shut);
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
    give.dataset.part = `student_lead_${student.number}`;
    give.setAttribute("aria-label", `${give.textContent}: ${filled(words.classroom_student, { number: student.number })}`);
    give.disabled = !student.here && !led;
    const doings = element("span", "lg-class-doing");
    doings.append(...this.hiding(student, words), give, this.removing(student, words));
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
    hide.dataset.part = `student_hide_${number}`;
    hide.setAttribute("aria-label", `${hide.textContent}: ${filled(words.classroom_student, { number })}`);
    return [hide];
  }

  /** @type {(student: StudentState, words: Words) => HTMLElement} */
  removing({ number }, words) {
    const remove = button("", words.classroom_remove, () => this.classroom.order({ do: "remove", student: number }));
    remove.dataset.part = `student_remove_${number}`;
    remove.title = words.classroom_remove_title;
    remove.setAttribute("aria-label", `${remove.textContent}: ${filled(words.classroom_student, { number })}`);
    return remove;
  }

  /** @type {(words: Words) => HTMLElement} */
  door(words) {
    const { classroom } = this;
    const row = element("div", "lg-class-namings");
    row.append(checkbox("class_shut", words.classroom_shut, classroom.now.shut, (shut) => classroom.order({ do: shut ? "shut" : "admit" })));
    return row;
  }

  // Nicknames for the whole class: asked for or not, and all of them hidden, until they are shown again.
  /** @type {(words: Words) => HTMLElement} */
  naming(words) {
    const { asking, now: { nameless } } = this.classroom;
    const label = checkbox("asking_names", words.asking_names, asking.now.names, (names) => asking.order({ do: names ? "names" : "numbers" }));
    const all = button("", nameless ? words.asking_name_show_all : words.asking_name_hide_all, () => asking.order({ do: nameless ? "unhide" : "hide" }));
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

/** @type {(part: string, text: string, checked: boolean, act: (checked: boolean) => void) => HTMLElement} */
function checkbox(part, text, checked, act) {
  const label = element("label", "lg-class-naming");
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked });
  box.dataset.part = part;
  box.onchange = () => act(box.checked);
  label.append(box, document.createTextNode(text));
  return label;
}

// Which part has the focus; empty if it is elsewhere. What is drawn anew gives it back.
/** @param {HTMLElement} root */
function heldIn(root) {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && root.contains(activeElement) ? activeElement.dataset.part ?? "" : "";
}

/** @type {(root: HTMLElement, part: string, otherwise: HTMLElement) => void} */
function focusOn(root, part, otherwise) {
  /** @type {?HTMLElement} */
  const found = root.querySelector(`[data-part="${part}"]`);
  (found && !found.hidden ? found : otherwise).focus({ preventScroll: true });
}
