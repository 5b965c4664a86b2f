// The teacher's list of students: who follows, who asks to lead, and buttons.

import { button } from "../layer/help.js";
import { element } from "../maps/mosaic.js";
import { withMore } from "../maps/said.js";
import { closeBeside } from "../page/dialog.js";
import { StudentRow } from "./student_row.js";

export class StudentList {
  ruled = ""; // what is said of the whole class

  /** @type {Map<number, StudentRow>} */
  rows = new Map(); // by the student's number

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
    closeBeside(this.dialog);
    parent.append(this.dialog);
  }

  open() {
    this.ruled = ""; // a box that was checked as the list closed may be of another class
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
    const rows = asking.map((each) => this.row(each, words, state?.lead === each.number));
    const nobody = element("li");
    nobody.append(...withMore(words.classroom_nobody, "teaching#how-do-students-join", words));
    arrange(this.list, rows.length ? rows : [nobody]);
    if (held) focusOn(this.list, held, this.shut); // whom the teacher removed has no button any more
  }

  // Draw the rules for joining, and for nicknames.
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

  // A student's row, the same one as before.
  /** @type {(student: StudentState, words: Words, led: boolean) => HTMLElement} */
  row(student, words, led) {
    const row = this.rows.get(student.number) ?? new StudentRow(this.classroom, () => this.dialog.close());
    this.rows.set(student.number, row);
    row.show(student, words, led);
    return row.root;
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

// Name of the part that has the focus; empty if it is elsewhere. A part that is drawn anew gives it back.
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

// Put rows into a list, and move none that stands where it should.
/** @type {(list: HTMLElement, rows: readonly HTMLElement[]) => void} */
function arrange(list, rows) {
  for (const each of [...list.children]) if (!rows.some((row) => row === each)) each.remove();
  rows.forEach((row, place) => {
    if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
  });
}
