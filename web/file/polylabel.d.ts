declare module 'polylabel' {
  /** The point farthest from all edges. @param precision in the units of the rings. */
  export default function polylabel(rings: readonly (readonly (readonly number[])[])[], precision: number): number[];
}
