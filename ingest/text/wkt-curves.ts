/** Types of SQL/MM by name; their numbers are those of WKB. */
const CODES: Readonly<Record<string, number>> = {
  POINT: 1,
  LINESTRING: 2,
  POLYGON: 3,
  MULTIPOINT: 4,
  MULTILINESTRING: 5,
  MULTIPOLYGON: 6,
  GEOMETRYCOLLECTION: 7,
  CIRCULARSTRING: 8,
  COMPOUNDCURVE: 9,
  CURVEPOLYGON: 10,
  MULTICURVE: 11,
  MULTISURFACE: 12,
};
/** What a part is that does not say it, by the type of the whole. */
const PARTS: Readonly<Record<number, number>> = { 4: 1, 5: 2, 6: 3, 9: 2, 10: 2, 11: 2, 12: 3 };
/** Geometries in geometries that are followed. */
const DEEPEST = 8;
const TOKEN = /\s*([A-Z]+|[(),]|[-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?)/iy;

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

class WktText {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    let end = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
      this.#tokens.push(match[1]!.toUpperCase());
      end = TOKEN.lastIndex;
    }
    if (text.slice(end).trim() !== '') throw new RangeError('it has characters that WKT does not');
  }

  get #next(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #take(wanted: string): boolean {
    if (this.#next !== wanted) return false;
    this.#at++;
    return true;
  }

  #list<T>(item: () => T): T[] {
    if (this.#take('EMPTY')) return [];
    if (!this.#take('(')) throw new RangeError('a list does not begin');
    const out = [item()];
    while (this.#take(',')) out.push(item());
    if (!this.#take(')')) throw new RangeError('a list does not end');
    return out;
  }

  /** x and y of a position; Z and M are dropped. */
  #position(): Buffer {
    const numbers: number[] = [];
    while (/^[-+.\d]/.test(this.#next)) numbers.push(Number(this.#tokens[this.#at++]));
    if (numbers.length < 2 || numbers.length > 4) throw new RangeError('a position has no two numbers');
    const bytes = Buffer.alloc(16);
    bytes.writeDoubleLE(numbers[0]!);
    bytes.writeDoubleLE(numbers[1]!, 8);
    return bytes;
  }

  #counted(parts: readonly Buffer[]): Buffer {
    return Buffer.concat([word(parts.length), ...parts]);
  }

  readonly #line = () => this.#counted(this.#list(() => this.#position()));

  #body(code: number, depth: number): Buffer {
    if (code === 1) {
      // MULTIPOINT (1 2, 3 4) is an old form of MULTIPOINT ((1 2), (3 4)).
      const [point] =
        this.#next === '(' || this.#next === 'EMPTY' ? this.#list(() => this.#position()) : [this.#position()];
      return point ?? Buffer.from('000000000000f87f000000000000f87f', 'hex');
    }
    if (code === CODES.LINESTRING || code === CODES.CIRCULARSTRING) return this.#line();
    if (code === CODES.POLYGON) return this.#counted(this.#list(this.#line));
    return this.#counted(this.#list(() => this.geometry(PARTS[code], depth + 1)));
  }

  /** @param unsaid type of a geometry that does not say its own. */
  geometry(unsaid: number | undefined, depth: number): Buffer {
    if (depth > DEEPEST) throw new RangeError('its parts are nested too deep');
    const code = CODES[this.#next.replace(/(?:ZM|Z|M)$/, '')] ?? CODES[this.#next];
    if (code !== undefined) {
      this.#at++;
      for (const dimension of ['Z', 'M', 'ZM']) if (this.#take(dimension)) break;
    }
    const type = code ?? unsaid;
    if (type === undefined) throw new RangeError(`"${this.#next}" is no type of WKT`);
    return Buffer.concat([Buffer.of(1), word(type), this.#body(type, depth)]);
  }

  end(): void {
    if (this.#at < this.#tokens.length) throw new RangeError('more follows');
  }
}

/**
 * Brings WKT of any type, curves and collections too, to WKB, whose reader makes lines of the arcs. Z and M are dropped.
 * @throws RangeError when it is no WKT.
 */
export function wkbOfWkt(text: string): Buffer {
  const wkt = new WktText(text);
  const bytes = wkt.geometry(undefined, 1);
  wkt.end();
  return bytes;
}
