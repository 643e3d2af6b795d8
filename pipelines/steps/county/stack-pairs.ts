/** A row of a stack: rows of one number and one shape. */
export interface StackRow {
  /** The source's own identifier; null where it gives none or it is not known. */
  readonly objectId: string | null;
  /** Published values as text, by column, without those that are null; null where they cannot be read any more. */
  readonly values: ReadonlyMap<string, string> | null;
}

/** A row of the release before. */
export interface HeldRow extends StackRow {
  readonly key: string;
  /** Whether it was gone there already; its values are not kept then. */
  readonly isGone: boolean;
}

/** Keys of the rows of a stack. */
export interface StackKeys {
  /** In the order of the rows; null for a row that is new. */
  readonly keys: readonly (string | null)[];
  /** Rows, new ones too, of which only their order said which one they are. */
  readonly rankedRows: ReadonlySet<number>;
  /** The same of keys that nobody has any more. */
  readonly rankedKeys: readonly string[];
}

/** Pairs of rows whose values are compared; in stacks with more that are left, order decides. */
const COMPARED_PAIRS = 1 << 18;

const sequence = new Intl.Collator('en', { numeric: true });

const contentOf = ({ values }: StackRow): string | null =>
  values && JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));

function equalValues({ values: a }: StackRow, { values: b }: StackRow): number {
  let equal = 0;
  for (const [name, value] of a ?? []) if (b?.get(name) === value) equal++;
  return equal;
}

/** The pairing of one stack. */
class Pairing {
  readonly #held: readonly HeldRow[];
  readonly #rows: readonly StackRow[];
  readonly #taken = new Map<number, number>();
  readonly #left: Set<number>;
  readonly #rankedHeld = new Set<number>();
  readonly #rankedRows = new Set<number>();

  constructor(held: readonly HeldRow[], rows: readonly StackRow[]) {
    this.#held = held;
    this.#rows = rows;
    this.#left = new Set(held.keys());
  }

  #freeRows(): number[] {
    return [...this.#rows.keys()].filter(row => !this.#taken.has(row));
  }

  #freeHeld(isGone: boolean): number[] {
    return [...this.#left].filter(i => this.#held[i]!.isGone === isGone);
  }

  #pair(held: number, row: number): void {
    this.#taken.set(row, held);
    this.#left.delete(held);
  }

  #rank(held: Iterable<number>, rows: Iterable<number>): void {
    for (const i of held) this.#rankedHeld.add(i);
    for (const row of rows) this.#rankedRows.add(row);
  }

  /** Pairs rows of one content. Where more of them are on one side, only order says which are left. */
  byContent(of: (row: StackRow) => string | null): void {
    const rows = Map.groupBy(this.#freeRows(), row => of(this.#rows[row]!));
    const held = Map.groupBy(this.#freeHeld(false), i => of(this.#held[i]!));
    for (const [content, own] of rows) {
      const former = content === null ? undefined : held.get(content);
      if (!former) continue;
      const pairs = Math.min(own.length, former.length);
      for (let i = 0; i < pairs; i++) this.#pair(former[i]!, own[i]!);
      this.#rank(former.slice(pairs), own.slice(pairs));
    }
  }

  /** Pairs rows of one object id, where it is that of one row on either side. */
  byId(isGone: boolean): void {
    const rows = Map.groupBy(this.#freeRows(), row => this.#rows[row]!.objectId);
    const held = Map.groupBy(this.#freeHeld(isGone), i => this.#held[i]!.objectId);
    for (const [id, own] of rows) {
      const former = id === null ? undefined : held.get(id);
      if (former?.length === 1 && own.length === 1) this.#pair(former[0]!, own[0]!);
    }
  }

  /** Pairs what is left, those with the most equal values first. */
  byLikeness(): void {
    const [held, rows] = [this.#freeHeld(false), this.#freeRows()];
    if (held.length * rows.length > COMPARED_PAIRS) {
      this.byOrder(false);
      return;
    }
    const pairs = held.flatMap(i => rows.map(row => [equalValues(this.#held[i]!, this.#rows[row]!), i, row] as const));
    const likeness = Map.groupBy(pairs, ([equal]) => equal);
    for (const equal of [...likeness.keys()].sort((a, b) => b - a)) {
      const open = likeness.get(equal)!.filter(([, i, row]) => this.#left.has(i) && !this.#taken.has(row));
      const [byHeld, byRow] = [Map.groupBy(open, ([, i]) => i), Map.groupBy(open, ([, , row]) => row)];
      for (const [, i, row] of open) {
        const [others, like] = [byHeld.get(i)!, byRow.get(row)!];
        if (others.length > 1 || like.length > 1)
          this.#rank(
            like.map(([, other]) => other),
            others.map(([, , other]) => other),
          );
        if (this.#left.has(i) && !this.#taken.has(row)) this.#pair(i, row);
      }
    }
  }

  /** Pairs what is left in order. */
  byOrder(isGone: boolean): void {
    const [held, rows] = [this.#freeHeld(isGone), this.#freeRows()];
    const pairs = Math.min(held.length, rows.length);
    for (let i = 0; i < pairs; i++) this.#pair(held[i]!, rows[i]!);
    if (pairs > 0 && held.length + rows.length > 2) this.#rank(held, rows);
  }

  get result(): StackKeys {
    return {
      keys: this.#rows.map((_, row) => {
        const held = this.#taken.get(row);
        return held === undefined ? null : this.#held[held]!.key;
      }),
      rankedRows: new Set(
        [...this.#rows.keys()].filter(
          row => this.#rankedRows.has(row) || this.#rankedHeld.has(this.#taken.get(row) ?? -1),
        ),
      ),
      rankedKeys: [...this.#left].filter(i => this.#rankedHeld.has(i)).map(i => this.#held[i]!.key),
    };
  }
}

/**
 * Pairs the rows of a stack with those that it had in the release before: first by object id and all values, then by all values, since
 * some publishers number their rows anew each time, then by object id, then by the most equal values. Order decides last.
 * @param held in any order. @param rows in file order.
 */
export function stackKeys(held: readonly HeldRow[], rows: readonly StackRow[]): StackKeys {
  const pairing = new Pairing(
    [...held].sort((a, b) => sequence.compare(a.key, b.key) || (a.key < b.key ? -1 : 1)),
    rows,
  );
  pairing.byContent(row => {
    const content = contentOf(row);
    return row.objectId === null || content === null ? null : `${row.objectId}\0${content}`;
  });
  pairing.byContent(contentOf);
  pairing.byId(false);
  pairing.byId(true);
  pairing.byLikeness();
  pairing.byOrder(true);
  return pairing.result;
}
