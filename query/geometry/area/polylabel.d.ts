declare module 'polylabel' {
  /** Pole of inaccessibility of a polygon (rings of x,y; shell first): x, y and its distance to the boundary, negative outside. */
  export default function polylabel(
    polygon: readonly (readonly (readonly [number, number])[])[],
    precision?: number,
  ): [number, number] & { distance: number };
}
