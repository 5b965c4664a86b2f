// One channel of a pair, large: both sides and their difference in a row, cell by cell in exact numbers.

const LARGE_LEAST = 128;

class Closer {
  constructor(sides) {
    this.sides = sides;
    for (const side of SIDES) {
      const { canvas } = sides[side];
      canvas.addEventListener("mousemove", (event) => this.point(side, event));
      canvas.addEventListener("mouseleave", () => this.said(""));
    }
  }

  // `books` are where the values of each side are: its page's address without an ending, and its query.
  show(pair, channel, { words, said, books, room }) {
    Object.assign(this, { pair, channel, words, said, books, values: {} });
    for (const side of SIDES) {
      const { canvas, closer, channelName } = this.sides[side];
      const page = pair.sides[side];
      const here = page && channel < page.facts.geometry.channels;
      closer.hidden = !here;
      if (!here) continue;
      const box = tileBox(page.facts.geometry, channel);
      Object.assign(canvas, { width: box.width, height: box.height });
      canvas.getContext("2d").drawImage(page.image, box.x, box.y, box.width, box.height, 0, 0, box.width, box.height);
      const scale = fitted(box.width, box.height, room.width, room.height);
      canvas.style.width = `${box.width * scale}px`;
      canvas.style.height = `${box.height * scale}px`;
      channelName.textContent = filled(words.channel, { channel });
      canvas.setAttribute("aria-label", `${side === "difference" ? words.pair_difference : side === "left" ? "A" : "B"}, ${channelInWords(pair, side, channel, words)}`);
    }
  }

  async point(side, event) {
    const { pair, channel } = this;
    const { geometry } = pair.sides[side].facts;
    const box = event.target.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * geometry.tile_width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * geometry.tile_height);
    const both = Boolean(pair.sides.difference);
    const [left, right] = await Promise.all(["left", "right"].map((each) => (both || each === side ? this.valuesOf(each) : [])));
    const at = y * geometry.tile_width + x;
    if (this.pair !== pair || this.channel !== channel) return;
    this.said(filled(this.words.pair_cell, { channel, y, x, left: inWords(left[at]), right: inWords(right[at]), difference: both ? inWords(left[at] - right[at]) : "–" }));
  }

  valuesOf(side) {
    this.values[side] ??= fetchValues(this.books[side], this.channel);
    return this.values[side];
  }
}

function inWords(number) {
  return number === undefined ? "–" : readable(number);
}
