import assert from "node:assert/strict";
import { test } from "node:test";

import { isSameCode } from "../../../../../viz/ui/browser/classroom/kept_class.js";

test("a code is the same however a link or a person writes it", () => {
  for (const typed of ["BCDFGH", "bcdfgh", "bcd fgh", " BCD-FGH "]) assert.ok(isSameCode(typed, "BCDFGH"), typed);
});

test("another code, or none, is not the same", () => {
  for (const typed of ["", "BCDFG", "BCDFGHB", "BCDFGJ"]) assert.ok(!isSameCode(typed, "BCDFGH"), typed);
});
