/** Number of values below a bound in an ascending list. */
export function firstFrom(list: Float64Array | Uint32Array, bound: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (list[mid]! < bound) low = mid + 1;
    else high = mid;
  }
  return low;
}

/** Number of values up to a bound. */
export const firstAfter = (list: Float64Array, bound: number): number => {
  let at = firstFrom(list, bound);
  while (at < list.length && list[at] === bound) at++;
  return at;
};
