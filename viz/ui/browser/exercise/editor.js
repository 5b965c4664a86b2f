// The field for an answer: a textarea with line numbers and syntax colours.

import { element } from "../maps/mosaic.js";
import { coloured } from "./colours.js";
import { broken, indented, lineAt, outdented } from "./typing.js";
import { Undo } from "./undo.js";

/** @typedef {import("./typing.js").Change} Change */

const LEAST_LINES = 8;

export class Editor {
  leaving = false; // Esc was pressed: the next Tab leaves the field
  wrong = 0; // the line that is marked
  undo = new Undo();

  /**
   * @param {string} label
   * @param {string} hint
   * @param {{changed: (code: string) => void, checks: () => void, longest: number}} acts
   */
  constructor(label, hint, { changed, checks, longest }) {
    this.changed = changed;
    this.checks = checks;
    this.root = element("div", "lg-editor");
    this.numbers = element("div", "lg-editor-numbers");
    this.numbers.setAttribute("aria-hidden", "true");
    this.behind = element("pre", "lg-editor-behind");
    this.behind.setAttribute("aria-hidden", "true");
    this.field = element("textarea", "lg-editor-field");
    Object.assign(this.field, { spellcheck: false, maxLength: longest, wrap: "off", autocapitalize: "off", autocomplete: "off" });
    this.field.setAttribute("aria-label", label);
    this.field.setAttribute("autocorrect", "off");
    this.hint = element("p", "lg-quiet lg-editor-keys", hint);
    this.hint.id = `lg-editor-${Math.random().toString(36).slice(2)}`;
    this.field.setAttribute("aria-describedby", this.hint.id);
    this.field.addEventListener("beforeinput", (event) => this.types(event));
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.field.addEventListener("blur", () => this.left());
    this.field.addEventListener("scroll", () => { this.behind.scrollLeft = this.field.scrollLeft; });
    const place = element("div", "lg-editor-place");
    place.append(this.behind, this.field);
    this.root.append(this.numbers, place);
  }

  get code() {
    return this.field.value;
  }

  /** @returns {import("./undo.js").Written} */
  get written() {
    const { value: text, selectionStart: start, selectionEnd: end } = this.field;
    return { text, start, end };
  }

  /** @param {string} code */
  put(code) {
    if (this.code) this.undo.keep(this.written);
    this.field.value = code.replace(/\n$/, "");
    this.mark(0);
  }

  /** @param {"back" | "forth"} way */
  turn(way) {
    const there = this.undo.turn(way, this.written);
    if (!there) return;
    this.field.value = there.text;
    this.field.setSelectionRange(there.start, there.end);
    this.mark(0);
    this.changed(this.code);
  }

  /**
   * Mark a line as wrong; 0 for none.
   * @param {number} line
   */
  mark(line) {
    this.wrong = line;
    this.field.setAttribute("aria-invalid", String(line > 0));
    this.draw();
  }

  /**
   * Select a line, and bring the keys to it.
   * @param {number} line
   */
  goTo(line) {
    const { start, end } = lineAt(this.code, line);
    this.field.focus();
    this.field.setSelectionRange(start, end);
  }

  // Show the beginnings of the lines to those who read the answer outside the field.
  left() {
    this.leaving = false;
    this.field.scrollLeft = 0;
  }

  /** @param {InputEvent} event */
  types(event) {
    const { inputType, timeStamp } = event;
    if (!inputType.startsWith("history")) return this.undo.keep(this.written, inputType, timeStamp);
    event.preventDefault(); // of a menu
    return this.turn(inputType === "historyRedo" ? "forth" : "back");
  }

  typed() {
    if (this.wrong) this.mark(0);
    else this.draw();
    this.changed(this.code);
  }

  draw() {
    const lines = this.code.split("\n").length;
    this.field.rows = Math.max(LEAST_LINES, lines);
    this.numbers.replaceChildren(...Array.from({ length: lines }, (_, place) => {
      const number = element("span", place + 1 === this.wrong ? "lg-wrong-line" : "", String(place + 1));
      return number;
    }));
    this.behind.replaceChildren(...coloured(`${this.code}\n`));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    const leaving = this.leaving;
    if (key !== "Shift") this.leaving = key === "Escape";
    if (isComposing || altKey) return;
    if (key === "Escape") {
      event.stopPropagation(); // it is about this field, and about nothing around it
    } else if (key === "Enter" && (ctrlKey || metaKey)) {
      event.preventDefault();
      this.checks();
    } else if ((ctrlKey || metaKey) && /^[zy]$/i.test(key)) {
      event.preventDefault();
      this.turn(shiftKey || /y/i.test(key) ? "forth" : "back");
    } else if (key === "Tab" && !leaving && !ctrlKey && !metaKey) {
      this.replace(event, shiftKey ? outdented : indented);
    } else if (key === "Enter" && !shiftKey) {
      this.replace(event, broken);
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(text: string, start: number, end: number) => Change} change
   */
  replace(event, change) {
    event.preventDefault();
    const { field } = this;
    const { start, end, text, from, to } = change(field.value, field.selectionStart, field.selectionEnd);
    this.undo.keep(this.written);
    field.setSelectionRange(start, end);
    // What is inserted like this is brought into view; where it cannot be, the text is set.
    const done = text ? document.execCommand("insertText", false, text) : start === end || document.execCommand("delete");
    if (!done) {
      field.setRangeText(text, start, end, "end");
      this.typed();
    }
    field.setSelectionRange(from, to);
  }
}
