/** Largest cell number of an axis: 16 bits, as FlatGeobuf has it. */
const MAX = 0xffff;

/**
 * Distance along the Hilbert curve of 16 levels that starts at cell 0,0 and ends at cell 65535,0.
 * Same curve and orientation as FlatGeobuf's packedrtree.cpp, which takes it from the public-domain
 * https://github.com/rawrunprotected/hilbert_curves; here the quadrant recursion of Hilbert (1891), one level a step.
 * @param x16 column, whole number 0..65535
 * @param y16 row, whole number 0..65535
 * @returns whole number 0..4294967295
 */
export function hilbert(x16: number, y16: number): number {
  let x = x16;
  let y = y16;
  let distance = 0;
  for (let side = 0x8000; side > 0; side >>= 1) {
    const right = (x & side) !== 0;
    const upper = (y & side) !== 0;
    // Quadrants in curve order: lower left, upper left, upper right, lower right.
    distance = distance * 4 + (right ? (upper ? 2 : 3) : upper ? 1 : 0);
    if (!upper) {
      if (right) {
        x = MAX - x;
        y = MAX - y;
      }
      [x, y] = [y, x];
    }
  }
  return distance;
}

const cell = (share: number): number => Math.max(0, Math.min(MAX, Math.floor(MAX * share)));

/**
 * Hilbert distance of a position on one fixed grid over the whole world, so that the order of two features never
 * depends on what else is in the file (FlatGeobuf's own writers use the extent of the file).
 * @param lng,lat WGS84 degrees; what lies outside -180..180, -90..90 is put on the edge of the grid.
 * @returns whole number 0..4294967295
 */
export function hilbertOf(lng: number, lat: number): number {
  return hilbert(cell((lng + 180) / 360), cell((lat + 90) / 180));
}
