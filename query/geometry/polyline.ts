/** Length of a line's pieces in degrees of latitude at its own latitude: good for shares of one street, not for metres. */
function lengths(xy: Float64Array): Float64Array {
  const scale = Math.cos((xy[1]! * Math.PI) / 180);
  const sums = new Float64Array(xy.length / 2);
  for (let i = 1; i < sums.length; i++)
    sums[i] = sums[i - 1]! + Math.hypot((xy[2 * i]! - xy[2 * i - 2]!) * scale, xy[2 * i + 1]! - xy[2 * i - 1]!);
  return sums;
}

/** Length of a line in degrees of latitude. @param xy lng,lat of its vertices. */
export const lengthOf = (xy: Float64Array): number => lengths(xy).at(-1) ?? 0;

/**
 * The point at a share of a line's length.
 * @param xy lng,lat of its vertices, at least one.
 * @param share 0 at its beginning, 1 at its end.
 * @returns lng,lat.
 */
export function along(xy: Float64Array, share: number): [number, number] {
  const sums = lengths(xy);
  const wanted = Math.min(1, Math.max(0, share)) * sums.at(-1)!;
  let i = 1;
  while (i < sums.length - 1 && sums[i]! < wanted) i++;
  if (sums.length < 2) return [xy[0]!, xy[1]!];
  const piece = sums[i]! - sums[i - 1]!;
  const part = piece > 0 ? (wanted - sums[i - 1]!) / piece : 0;
  return [
    xy[2 * i - 2]! + part * (xy[2 * i]! - xy[2 * i - 2]!),
    xy[2 * i - 1]! + part * (xy[2 * i + 1]! - xy[2 * i - 1]!),
  ];
}
