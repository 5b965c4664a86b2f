// What the visitor did to the edits and the server has not heard of yet, in order; told again with every message
// until it has, because a message that is overtaken by the next one is never read.

class Outbox {
  constructor() {
    this.waiting = [];
  }

  // How many the server has heard of, in this visit.
  heard(count) {
    this.sent ??= count;
    this.waiting = this.waiting.filter(({ number }) => number > count);
  }

  add(edit) {
    this.sent += 1;
    this.waiting = [...this.waiting, { ...edit, number: this.sent }];
  }
}
