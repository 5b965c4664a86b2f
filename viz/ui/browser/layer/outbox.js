// What the visitor did to the edits and the server does not know yet, in order. Every message repeats it until the
// server knows, because the server never reads a message that is overtaken by the next one.

export class Outbox {
  constructor() {
    this.waiting = [];
  }

  // Takes how many the server knows of, in this visit.
  heard(count) {
    this.sent ??= count;
    this.waiting = this.waiting.filter(({ number }) => number > count);
  }

  add(edit) {
    this.sent += 1;
    this.waiting = [...this.waiting, { ...edit, number: this.sent }];
  }
}
