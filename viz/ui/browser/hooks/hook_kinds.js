// The kinds of hooks: their words, and the maps that belong to each.

/** @typedef {{name: (words: Words) => string, short: (words: Words) => string, about: (words: Words) => string, maps: (words: Words) => string, leaf: string, back?: boolean}} HookKind */
/** @type {Readonly<Record<string, HookKind>>} */
export const HOOKS = {
  "pre-hook": { name: (words) => words.hooks_pre, short: (words) => words.hooks_short_pre, about: (words) => words.hooks_pre_about, maps: (words) => words.hooks_maps_input, leaf: "inputs" },
  "forward hook": { name: (words) => words.hooks_after, short: (words) => words.hooks_short_after, about: (words) => words.hooks_after_about, maps: (words) => words.hooks_maps_output, leaf: "" },
  "full backward pre-hook": { name: (words) => words.hooks_back_pre, short: (words) => words.hooks_short_back_pre, about: (words) => words.hooks_back_pre_about, maps: (words) => words.hooks_maps_gradient, leaf: "", back: true },
  "tensor hook": { name: (words) => words.hooks_tensor, short: (words) => words.hooks_short_tensor, about: (words) => words.hooks_tensor_about, maps: (words) => words.hooks_maps_gradient, leaf: "", back: true },
  "full backward hook": { name: (words) => words.hooks_back, short: (words) => words.hooks_short_back, about: (words) => words.hooks_back_about, maps: (words) => words.hooks_maps_gradient_in, leaf: "inputs", back: true },
};
