/**
 * Memory that is used again from one grid to the next: getting new memory from the system takes longer than filling
 * it.
 */
export const spare = { cells: new Uint32Array(0), edges: new Uint32Array(0), next: new Uint32Array(0) };

/** The array when it is long enough, else a new one. */
export const atLeast = (array: Uint32Array<ArrayBuffer>, length: number) =>
  array.length < length ? new Uint32Array(length) : array;

/** A copy of at least that length, and at least twice as long as it was. */
export function enlarged(from: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(Math.max(least, from.length * 2));
  to.set(from);
  return to;
}
