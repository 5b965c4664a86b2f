// Which scene plays which kind of reading.

import { CurveScene } from "./curve_scene.js";
import { KeysScene } from "./keys_scene.js";
import { SpreadScene } from "./spread_scene.js";
import { phasesOf } from "./steps.js";
import { WindowScene } from "./windows_scene.js";
import { WrittenScene } from "./written_scene.js";

/** The scene of a reading. @type {(told: import("./parts.js").Told) => import("./parts.js").Scene} */
export function sceneOf(told) {
  const { reading } = told;
  const { region, curve, spreads, cells } = reading;
  if (region && phasesOf(reading)[0] === "window") return new WindowScene({ ...told, reading: { ...reading, region } });
  if (spreads.length) return new SpreadScene(told);
  if (curve) return new CurveScene({ ...told, reading: { ...reading, curve } });
  return cells.some(({ keys }) => keys) ? new KeysScene(told) : new WrittenScene(told);
}
