/** Mixes integers into one well-spread 32-bit number (finalizer of MurmurHash3). */
export function hash(...keys: readonly number[]): number {
  let h = 0x9e3779b9;
  for (const key of keys) {
    h = Math.imul(h ^ key, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}

/** Streams that had a number before they had a name, which keeps what is drawn from them. A new one needs no line here. */
const NUMBERED: Readonly<Record<string, number>> = {
  streams: 11,
  lots: 41,
  'ground of parcels': 51,
  parcels: 52,
  buildings: 61,
  ponds: 71,
  wetlands: 72,
  'house prices': 91,
  'tract statistics': 92,
  airports: 101,
  hospitals: 102,
  structures: 103,
  schools: 104,
  plants: 105,
  superfund: 106,
  'substations of site': 107,
  parks: 108,
  wildfires: 109,
  substations: 110,
  'climate stations': 111,
  planned: 112,
  'solar fields': 113,
  tornadoes: 121,
  hail: 122,
  hurricanes: 123,
  earthquakes: 124,
  landslides: 125,
  places: 131,
  'transit stops': 133,
  'interconnection facilities': 134,
  exchanges: 136,
  'critical habitat': 201,
  districts: 201,
  terminals: 211,
  'water systems': 211,
  ports: 212,
  'well measurements': 212,
  colleges: 213,
  'water availability': 213,
  'historic places': 214,
  masts: 215,
  facilities: 231,
  karst: 232,
  'flood claims': 241,
};

/** The number of a name: FNV-1a of its UTF-16 code units. */
function numberOf(name: string): number {
  const numbered = NUMBERED[name];
  if (numbered !== undefined) return numbered;
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/**
 * A seeded stream of numbers (mulberry32): the same keys give the same stream on every machine. One of the keys is the name of what is
 * drawn from it, so that no two things draw the same numbers.
 */
export class Random {
  #state: number;

  constructor(...keys: readonly (number | string)[]) {
    this.#state = hash(...keys.map(key => (typeof key === 'string' ? numberOf(key) : key)));
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from low to high, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}

/**
 * Smooth noise: value noise on the integer grid with quintic easing, two octaves.
 * @returns a function of the plane with values in -1 to 1, twice differentiable everywhere.
 */
export function smoothNoise(seed: number): (x: number, y: number) => number {
  const ease = (t: number) => t * t * t * (t * (t * 6 - 15) + 10);
  const octave = (n: number) => {
    const corner = (i: number, j: number) => hash(seed, i, j, n) / 2147483648 - 1;
    // Corners of the cell that was asked for last: a raster asks for many places of one cell in a row. Without them the files of a
    // small area took 1.2 times as long to write.
    let [column, row] = [Number.NaN, Number.NaN];
    let [a, b, c, d] = [0, 0, 0, 0];
    return (x: number, y: number) => {
      const i = Math.floor(x);
      const j = Math.floor(y);
      if (i !== column || j !== row) {
        [column, row] = [i, j];
        [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1)];
      }
      const u = ease(x - i);
      const v = ease(y - j);
      const low = a * (1 - u) + b * u;
      const high = c * (1 - u) + d * u;
      return low * (1 - v) + high * v;
    };
  };
  const [wide, fine] = [octave(0), octave(1)];
  return (x, y) => (wide(x, y) * 2 + fine(x * 2.1, y * 2.1)) / 3;
}
