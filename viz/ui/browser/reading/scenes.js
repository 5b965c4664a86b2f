// The panels of a reading: the scene for its kind, and its output.

import { CurveScene } from "./curve_scene.js";
import { KeysScene } from "./keys_scene.js";
import { OutputPanel } from "./output_panel.js";
import { SpreadScene } from "./spread_scene.js";
import { phasesOf } from "./steps.js";
import { WindowScene } from "./windows_scene.js";
import { WrittenScene } from "./written_scene.js";

/** @param {import("./output_panel.js").Shown} told */
export function panelsOf(told) {
  return { scene: sceneOf(told), output: new OutputPanel(told) };
}

/** @type {(told: import("./output_panel.js").Shown) => import("./parts.js").Scene} */
function sceneOf(told) {
  const { reading } = told;
  const { region, curve, spreads, cells } = reading;
  if (region && phasesOf(reading)[0] === "window") return new WindowScene({ ...told, reading: { ...reading, region } });
  if (spreads.length) return new SpreadScene(told);
  if (curve) return new CurveScene({ ...told, reading: { ...reading, curve } });
  return cells.some(({ keys }) => keys) ? new KeysScene(told) : new WrittenScene(told);
}
