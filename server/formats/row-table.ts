import type { Citation, ColumnKind, Table, TableColumn } from './format.ts';

/** Kinds and units of the names that answers have; of others the values tell. */
export interface NameFacts {
  readonly kinds: ReadonlyMap<string, ColumnKind>;
  readonly units: ReadonlyMap<string, string>;
}

/** Whether a value may stand in a column of a kind. */
export const fitsKind = (kind: ColumnKind, value: unknown): boolean => {
  if (value === null || value === undefined || kind === 'text') return true;
  if (kind === 'boolean') return typeof value === 'boolean';
  return kind === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number';
};

/** Kinds that values tell, the narrowest first. */
export const INFERRED_KINDS = ['boolean', 'integer', 'number'] as const;

/** The kind of a column: that of its name where all values are of it, and else the narrowest that all are of. */
function kindOf(values: readonly unknown[], usual: ColumnKind | undefined): ColumnKind {
  const ofAll = (kind: ColumnKind) => values.every(value => fitsKind(kind, value));
  if (usual !== undefined && ofAll(usual)) return usual;
  if (values.every(value => value === null || value === undefined)) return 'text';
  return INFERRED_KINDS.find(ofAll) ?? 'text';
}

/** A record with its source, as answers have them of each field. */
export interface CitedRecord extends Citation {
  readonly value: unknown;
  readonly status: string;
}

/** The row that a table is getting, column by column. */
export class RowTable {
  readonly #facts: NameFacts;
  readonly #columns = new Map<string, unknown[]>();
  readonly #kinds = new Map<string, ColumnKind>();
  readonly #citations = new Map<string, Map<string, Citation>>();
  readonly #geometries: (object | null)[] = [];
  #lacks: string[] = [];

  constructor(facts: NameFacts) {
    this.#facts = facts;
  }

  /** Begins a row. */
  begin(geometry: object | null): void {
    this.#geometries.push(geometry);
    this.#lacks = [];
  }

  /** Sets a value of the row; the last one counts. @param kind of the column, where its name does not tell. */
  set(name: string, value: unknown, kind?: ColumnKind): void {
    let values = this.#columns.get(name);
    if (!values) {
      values = [];
      this.#columns.set(name, values);
    }
    if (kind) this.#kinds.set(name, kind);
    values[this.#geometries.length - 1] = value ?? null;
  }

  /** Sets the value of a field and remembers how it stands for the status of the row. */
  setField(name: string, value: unknown, status: string): void {
    this.set(name, value);
    if (status !== 'ok') this.#lacks.push(`${name}:${status}`);
  }

  /** Sets the value of a record, and cites its source. */
  setRecord(name: string, record: CitedRecord): void {
    const { value, status, source, source_url, dataset_vintage } = record;
    this.setField(name, value, status);
    let citations = this.#citations.get(name);
    if (!citations) {
      citations = new Map();
      this.#citations.set(name, citations);
    }
    const citation = { source, source_url, dataset_vintage };
    citations.set(JSON.stringify(citation), citation);
  }

  /** Ends a row with its status: `ok`, or the fields without a value and how each stands. */
  end(status = this.#lacks.length > 0 ? this.#lacks.join(' ') : 'ok'): void {
    this.set('status', status, 'text');
  }

  /** The table. @param about what the answer says of all rows. */
  table(about: Table['about']): Table {
    const rows = this.#geometries.length;
    const columns = [...this.#columns].map(([name, sparse]): TableColumn => {
      const values = Array.from({ length: rows }, (_, row) => sparse[row] ?? null);
      return {
        name,
        kind: kindOf(values, this.#kinds.get(name) ?? this.#facts.kinds.get(name)),
        values,
        unit: this.#facts.units.get(name) ?? null,
        citations: [...(this.#citations.get(name)?.values() ?? [])],
      };
    });
    // The status is the last column.
    const order = [
      ...columns.filter(({ name }) => name !== 'status'),
      ...columns.filter(({ name }) => name === 'status'),
    ];
    return { columns: order, geometries: this.#geometries, about };
  }
}
