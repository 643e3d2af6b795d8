import { type EncodedSegment, encodeAddressIndex, type StreetEntry } from './address-index-format.ts';
import { POINT_KINDS, type PointRow, type SegmentRow } from './address-row.ts';
import { type HouseNumber, houseNumbers } from './house-number.ts';
import { type Street, streetOf } from './street.ts';
import { capitals } from './text.ts';
import { unitAt } from './unit.ts';

interface Group {
  readonly entry: StreetEntry;
  /** Value, high, lng, lat, kind, suffix of each point. */
  readonly points: [number, number, number, number, number, number][];
  readonly segments: EncodedSegment[];
}

const E7 = 1e7;

/** An address line as number and street; null where it lacks either. Units at its end are left out. */
export function readLine(line: string): { readonly number: HouseNumber; readonly street: string } | null {
  const words = capitals(line.length > 200 ? line.slice(0, 200) : line)
    .replaceAll(',', '')
    .split(' ');
  for (let i = 2; i < words.length; i++) {
    const unit = unitAt(words, i);
    if (!unit || !/\s/.test(unit.unit)) continue;
    words.splice(i, unit.words);
    i--;
  }
  const [first] = houseNumbers(words);
  if (!first || first.number.value <= 0 || first.words >= words.length) return null;
  // REAR lots of the District's roll (BURNS ST R SE) are other places than the houses in front of them.
  const rear = words.findIndex((word, i) => i > first.words && word === 'R' && words[i - 1] !== undefined);
  if (rear >= 0) {
    words.splice(rear, 1);
    return { number: { ...first.number, suffix: 'REAR' }, street: words.slice(first.words).join(' ') };
  }
  return { number: first.number, street: words.slice(first.words).join(' ') };
}

/** Gathers address rows of one partition and writes them as an index. Holds about 100 bytes a row meanwhile. */
export class AddressIndexBuilder {
  readonly #groups = new Map<string, Group>();
  readonly #streets = new Map<string, Street>();
  readonly #suffixes = new Map<string, number>([['', 0]]);
  /** Rows that had a number and a street. */
  points = 0;

  add(row: PointRow): void {
    const read = readLine(row.line);
    if (!read) return;
    const { number, street } = read;
    // The letters of a grid belong to the number as a suffix does: both must agree.
    const letters = number.grid ? `${number.grid}/${number.suffix}` : number.suffix;
    let suffix = this.#suffixes.get(letters);
    if (suffix === undefined) {
      // What does not fit into its 16 bits is the most unusual suffix of a whole state.
      if (this.#suffixes.size > 0xffff) return;
      suffix = this.#suffixes.size;
      this.#suffixes.set(letters, suffix);
    }
    const [lng, lat] = [Math.round(row.lng * E7), Math.round(row.lat * E7)];
    this.#group(street, row.city, row.zip).points.push([
      number.value,
      number.high,
      lng,
      lat,
      POINT_KINDS.indexOf(row.kind),
      suffix,
    ]);
    this.points++;
  }

  addSegment(row: SegmentRow): void {
    const street = capitals(row.street).replaceAll(',', '');
    if (street === '') return;
    const both = row.zipLeft === row.zipRight ? row.zipLeft : null;
    const vertices = Array.from(row.xy, degree => Math.round(degree * E7));
    const sides = [row.left, row.right].flatMap(side => (side ? [side[0], side[1]] : [-1, -1]));
    const zips = [row.zipLeft, row.zipRight].map(zip => (zip === null ? -1 : Number(zip)));
    this.#group(street, null, both).segments.push({ numbers: [...sides, ...zips], vertices });
  }

  /** The index as bytes; equal rows in any order give equal bytes. */
  finish(): Uint8Array {
    const groups = [...this.#groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
    const suffixes = [...this.#suffixes.keys()].sort();
    const rank = new Map([...this.#suffixes].map(([suffix, id]) => [id, suffixes.indexOf(suffix)]));
    for (const { points, segments } of groups) {
      for (const point of points) point[5] = rank.get(point[5])!;
      points.sort((a, b) => a[0] - b[0] || a[5] - b[5] || a[4] - b[4] || a[2] - b[2] || a[3] - b[3] || a[1] - b[1]);
      const keys = new Map(segments.map(segment => [segment, `${segment.numbers}|${segment.vertices}`]));
      segments.sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
    }
    return encodeAddressIndex(groups, suffixes);
  }

  #group(text: string, city: string | null, zip: string | null): Group {
    let street = this.#streets.get(text);
    if (!street) {
      street = streetOf(text.split(' '));
      this.#streets.set(text, street);
    }
    const parts = [
      street.pre,
      street.name,
      street.suffix,
      street.post,
      street.key,
      street.whole,
      city?.toUpperCase(),
      zip,
    ];
    const key = parts.map(part => part ?? '').join('\t');
    let group = this.#groups.get(key);
    if (!group) {
      group = { entry: { street, city: city === null ? null : city.toUpperCase(), zip }, points: [], segments: [] };
      this.#groups.set(key, group);
    }
    return group;
  }
}
