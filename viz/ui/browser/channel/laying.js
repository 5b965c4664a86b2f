// Geometry of the large map and the picture, one laid over the other.

/** @typedef {{left: number, top: number, width: number, height: number}} Area */
/** @typedef {{all: Area, photo: Area}} Laid - in cells of the map, whose first one begins at 0 */

const WHOLE = { top: 0, left: 0, height: 1, width: 1 };

/**
 * The picture's area under a map, and the area of both together.
 * @param {LayerFacts} facts
 * @param {Look["lay"]} lay - each cell where it is centred, as far as that is known, or stretched over the picture
 * @returns {Laid}
 */
export function laidOut({ covers, geometry: { map_height, map_width } }, lay) {
  const part = (lay === "centred" && covers) || WHOLE;
  const [across, left, right] = side(part.left, part.width, map_width);
  const [down, top, bottom] = side(part.top, part.height, map_height);
  return {
    photo: { left: across.start, top: down.start, width: across.length, height: down.length },
    all: { left, top, width: right - left, height: bottom - top },
  };
}

// The picture along one side, in cells, and the ends of picture and map together.
/** @type {(from: number, length: number, cells: number) => [{start: number, length: number}, number, number]} */
function side(from, length, cells) {
  const cell = length / cells; // as a fraction of the picture
  const photo = { start: (0 - from) / cell, length: 1 / cell };
  return [photo, Math.min(0, photo.start), Math.max(cells, photo.start + photo.length)];
}
