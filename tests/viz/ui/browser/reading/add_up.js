// What the page adds up for each number of some readings, for the test that compares it with PyTorch: a JSON list of
// readings from standard input, one to it of their sums. Numbers that JSON does not have are null.

import { readFileSync } from "node:fs";

import { shares, sumOf } from "../../../../../viz/ui/browser/reading/sums.js";

const readings = JSON.parse(readFileSync(0, "utf8"));
const found = readings.map((reading) => reading.cells.map((cell) => ({ ...sumOf(reading, cell), shares: cell.keys ? shares(cell.keys) : [] })));
process.stdout.write(JSON.stringify(found));
