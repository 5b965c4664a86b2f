// Short names of the steps between two units, and of the picture's channels.

const MOST = 3;

/**
 * The steps between two units, without the part of their names that the unit's own layer has too.
 * @param {readonly string[]} steps
 * @param {string} layer
 */
export function shortSteps(steps, layer) {
  const block = layer.slice(0, layer.lastIndexOf(".") + 1);
  const names = steps.map((step) => (block && step.startsWith(block) ? step.slice(block.length) : step));
  return names.length > MOST ? [names[0], "…", ...names.slice(1 - MOST)].join(", ") : names.join(", ");
}

/** The first few names, and that there are more. @param {readonly string[]} names */
export function listed(names) {
  return names.length > MOST ? `${names.slice(0, MOST).join(", ")}, …` : names.join(", ");
}

/** @type {(channel: number, words: Words) => string} */
export function pictureName(channel, words) {
  return [words.unit_red, words.unit_green, words.unit_blue][channel] ?? `${words.unit_picture} · ${channel}`;
}
