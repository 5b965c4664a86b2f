// The size of a kernel in words.

/**
 * Height × width, behind the depth of a volume's, whose slices are drawn below each other.
 * @param {{kernels: {height: number, width: number}, depth: number}} drawn
 */
export function kernelSize({ kernels: { height, width }, depth }) {
  return [...(depth > 1 ? [depth] : []), height / depth, width].join(" × ");
}
