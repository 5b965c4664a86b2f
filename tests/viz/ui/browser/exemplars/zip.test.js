// ZIP files, made here byte by byte: what is in them, what is left out, and what tries to take too much.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { entriesOf, MOST_BYTES, MOST_ENTRIES, ZipError } from "../../../../../viz/ui/browser/exemplars/zip.js";

/** @typedef {{name: string, data?: Uint8Array, method?: number, flags?: number, packed?: Uint8Array}} File */

/** @type {(size: number, values: readonly [number, number, number][]) => Buffer} */
function head(size, values) {
  const bytes = Buffer.alloc(size);
  for (const [at, length, value] of values) bytes.writeUIntLE(value, at, length);
  return bytes;
}

/** @type {(files: readonly File[], comment?: string) => Blob} */
function zip(files, comment = "") {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let at = 0;
  for (const { name, data = new Uint8Array([1, 2, 3]), method = 8, flags = 0x800, packed } of files) {
    const label = Buffer.from(name), bytes = Buffer.from(packed ?? (method === 8 ? deflateRawSync(data) : data));
    const local = head(30, [[0, 4, 0x04034b50], [8, 2, method], [26, 2, label.length]]);
    parts.push(local, label, bytes);
    directory.push(head(46, [[0, 4, 0x02014b50], [8, 2, flags], [10, 2, method], [20, 4, bytes.length], [28, 2, label.length], [42, 4, at]]), label);
    at += 30 + label.length + bytes.length;
  }
  const listed = Buffer.concat(directory), note = Buffer.from(comment);
  const end = head(22, [[0, 4, 0x06054b50], [10, 2, files.length], [12, 4, listed.length], [16, 4, at], [20, 2, note.length]]);
  return new Blob([...parts, listed, end, note].map((part) => new Uint8Array(part)));
}

/** @param {import("../../../../../viz/ui/browser/exemplars/zip.js").Entry} entry */
async function read(entry) {
  assert.equal(entry.wrong, null);
  return entry.wrong === null ? [...new Uint8Array(await (await entry.read()).arrayBuffer())] : [];
}

/** @type {(wrong: string) => (error: unknown) => boolean} */
const because = (wrong) => (error) => error instanceof ZipError && error.wrong === wrong;

test("pictures come with their bytes, packed or not, and names with the folder they lie in", async () => {
  const found = await entriesOf(zip([{ name: "a.png" }, { name: "deep/down/ä.JPG", method: 0, data: new Uint8Array([9]) }], "a note"));
  assert.deepEqual(found.map(({ name }) => name), ["a.png", "down/ä.JPG"]);
  assert.deepEqual(await Promise.all(found.map(read)), [[1, 2, 3], [9]]);
});

test("a name that climbs out of its folder does not climb", async () => {
  const found = await entriesOf(zip([{ name: "../../etc/evil.png" }, { name: "..\\evil.png" }, { name: "/root.png" }]));
  assert.deepEqual(found.map(({ name }) => name), ["etc/evil.png", "evil.png", "root.png"]);
});

test("folders and hidden files are passed over; what else is no picture is named with its reason", async () => {
  const found = await entriesOf(zip([
    { name: "folder/" }, { name: "__MACOSX/a.png" }, { name: ".hidden.png" }, { name: "b/.x/y.png" },
    { name: "inner.zip" }, { name: "notes.txt" }, { name: "secret.png", flags: 0x801 }, { name: "odd.png", method: 12 },
  ]));
  assert.deepEqual(found.map(({ name, wrong }) => [name, wrong]), [["inner.zip", "nested"], ["notes.txt", "other"], ["secret.png", "locked"], ["odd.png", "method"]]);
});

test("a table of labels is read beside the folders or around them, and the pictures have their whole paths", async () => {
  const found = await entriesOf(zip([
    { name: "labels.csv", data: new Uint8Array([7]) }, { name: "pets/Labels.csv" }, { name: "pets/cats/labels.csv" }, { name: "other.csv" }, { name: "cats/IMG_1" },
    { name: "../pets\\cats/1.png" },
  ]));
  assert.deepEqual(found.map((each) => [each.name, each.wrong ?? (each.table ? "table" : each.path)]), [
    ["labels.csv", "table"], ["pets/Labels.csv", "table"], ["cats/labels.csv", "other"], ["other.csv", "other"], ["cats/IMG_1", "cats/IMG_1"], ["cats/1.png", "pets/cats/1.png"],
  ]);
  assert.deepEqual(await read(found[0]), [7]);
});

test("a bomb is given up once it is larger than a picture may be", async () => {
  const [bomb] = await entriesOf(zip([{ name: "bomb.png", data: new Uint8Array(MOST_BYTES + 1) }]));
  await assert.rejects(read(bomb), because("long"));
});

test("a damaged picture is one picture that cannot be read", async () => {
  const [bad, good] = await entriesOf(zip([{ name: "bad.png", packed: new Uint8Array([7, 7, 7, 7]) }, { name: "good.png" }]));
  await assert.rejects(read(bad), because("damaged"));
  assert.deepEqual(await read(good), [1, 2, 3]);
});

test("what is no archive, is cut off, or has too many files is refused as a whole", async () => {
  const whole = new Uint8Array(await zip([{ name: "a.png" }]).arrayBuffer());
  await assert.rejects(entriesOf(new Blob([new Uint8Array(100)])), because("damaged"));
  await assert.rejects(entriesOf(new Blob([])), because("damaged"));
  await assert.rejects(entriesOf(new Blob([whole.slice(0, -30)])), because("damaged"));
  await assert.rejects(entriesOf(new Blob([whole.slice(40)])), because("damaged"));
  await assert.rejects(entriesOf(zip(new Array(MOST_ENTRIES + 1).fill({ name: "a.png", method: 0 }))), because("many"));
});

test("no byte that is changed makes it hang or fail in another way", async () => {
  const whole = new Uint8Array(await zip([{ name: "a.png" }, { name: "b.jpg", method: 0 }]).arrayBuffer());
  for (let at = 0; at < whole.length; at += 1) {
    for (const value of [0, 0xff]) {
      const changed = whole.slice();
      changed[at] = value;
      try {
        for (const entry of await entriesOf(new Blob([changed]))) if (entry.wrong === null) await entry.read();
      } catch (error) {
        assert.ok(error instanceof ZipError, `byte ${at}: ${error}`);
      }
    }
  }
});
