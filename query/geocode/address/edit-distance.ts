/** Three rows of the table of distances, used in turn. */
const rows = [new Uint8Array(68), new Uint8Array(68), new Uint8Array(68)] as const;

/** Longest texts that are compared; street and city names are shorter. */
const LONGEST = 64;

/**
 * Letters put in, left out, changed or swapped with their neighbour between two texts (optimal string alignment; Boytsov
 * 2011, Indexing methods for approximate dictionary searching, section 2). Only cells within `most` of the diagonal can be part
 * of an answer (Ukkonen 1985, Algorithms for approximate string matching).
 * @param most no answer above this is worked out.
 * @returns the distance, or most + 1 when it is larger.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  const n = a.length;
  const m = b.length;
  const above = most + 1;
  if (Math.abs(n - m) > most || n > LONGEST || m > LONGEST) return above;
  let [before, previous, current] = rows as readonly [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= Math.min(m, above); j++) previous[j] = j;
  for (let i = 1; i <= n; i++) {
    const from = Math.max(1, i - most);
    const to = Math.min(m, i + most);
    let least = from === 1 ? i : above;
    current[from - 1] = least;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = previous[j - 1]! + (letter === other ? 0 : 1);
      if (previous[j]! + 1 < cost) cost = previous[j]! + 1;
      if (current[j - 1]! + 1 < cost) cost = current[j - 1]! + 1;
      if (
        i > 1 &&
        j > 1 &&
        letter === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === other &&
        before[j - 2]! + 1 < cost
      )
        cost = before[j - 2]! + 1;
      current[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return above;
    current[to + 1] = above;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[m]!, above);
}

/** The letters and digits of a text as bits: texts whose bits differ in more than 2k places are more than k edits apart. */
export function letterMask(text: string): number {
  let mask = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // 26 letters, then the digits over the six bits that are left.
    mask |= 1 << (code >= 65 && code <= 90 ? code - 65 : 26 + (code % 6));
  }
  return mask;
}

/** Number of bits in which two masks differ. */
export function maskDifference(a: number, b: number): number {
  let bits = a ^ b;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Texts that differ from a text by one edit, among those that were given, with what each stands for. */
export function oneEditFrom<T>(entries: Iterable<readonly [text: string, meaning: T]>): (text: string) => T[] {
  const masked = [...entries].map(([text, meaning]) => ({ text, meaning, mask: letterMask(text) }));
  return text => {
    const mask = letterMask(text);
    const near = masked.filter(one => maskDifference(one.mask, mask) <= 2 && editDistance(text, one.text, 1) === 1);
    return near.map(({ meaning }) => meaning);
  };
}
