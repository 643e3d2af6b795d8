import { type Box, boxOf, type GeometryType, union } from '../../../datasets/geometry.ts';
import type { Citation, ColumnKind } from '../../formats/format.ts';
import { fitsKind, INFERRED_KINDS } from '../../formats/row-table.ts';
import type { Part } from '../part.ts';
import type { Block } from './block.ts';
import type { ExportColumn, LicensedCitation } from './writer.ts';

/** A row without a place: it is in no map, and the sidecar names it. */
interface Unplaced {
  readonly row: number;
  readonly custom_id: string | null;
  readonly status: string;
}

/** Rows without a place that are named; the file has all of them, where its format can. */
const MOST_UNPLACED = 1_000;

/** What must be known of all rows before the first is written: one walk over the parts. */
export class Survey {
  readonly #fitting: Map<string, Set<ColumnKind>>;
  readonly #usual: ReadonlyMap<string, ColumnKind>;
  readonly #given = new Set<string>();
  readonly #citations = new Map<string, Map<string, Citation>>();
  readonly #units = new Map<string, string>();
  readonly types = new Set<GeometryType>();
  readonly unplaced: Unplaced[] = [];
  readonly sources = new Set<string>();
  box: Box | null = null;
  placed = 0;
  rows = 0;

  /** @param usual kinds of columns, where their names tell. */
  constructor(names: readonly string[], usual: ReadonlyMap<string, ColumnKind>) {
    this.#usual = usual;
    this.#fitting = new Map(names.map(name => [name, new Set<ColumnKind>(['text', ...INFERRED_KINDS])]));
  }

  take(part: Part, { values, geometries, count }: Block): void {
    for (const [name, list] of values) {
      const fitting = this.#fitting.get(name)!;
      for (const value of list) {
        if (value === null || value === undefined) continue;
        this.#given.add(name);
        for (const kind of fitting) if (!fitsKind(kind, value)) fitting.delete(kind);
      }
    }
    for (const [name, { citations, unit }] of Object.entries(part.columns)) {
      const each = this.#citations.get(name) ?? new Map<string, Citation>();
      for (const citation of citations) each.set(JSON.stringify(citation), citation);
      this.#citations.set(name, each);
      if (unit !== null) this.#units.set(name, unit);
    }
    for (const source of values.get('source') ?? []) if (typeof source === 'string') this.sources.add(source);
    for (const [row, geometry] of geometries.entries()) {
      if (!geometry) {
        if (part.of === 'rows' && this.unplaced.length < MOST_UNPLACED) {
          const { row: number, custom_id } = part.rows[row]!;
          this.unplaced.push({ row: number, custom_id, status: String(values.get('status')![row]) });
        }
        continue;
      }
      this.placed++;
      this.types.add(geometry.type);
      this.box = union(this.box, boxOf(geometry));
    }
    this.rows += count;
  }

  /** The columns of the file. @param cited of those that no part cites. @param units by name. @param licences by source. */
  columns(
    cited: Readonly<Record<string, readonly Citation[]>>,
    units: ReadonlyMap<string, string>,
    licences: Readonly<Record<string, string>>,
  ): ExportColumn[] {
    const licensed = (citation: Citation): LicensedCitation => {
      const each = citation.source.split(';').map(source => licences[source.trim()]);
      const told = [...new Set(each.filter(licence => licence !== undefined))];
      return { ...citation, licence: told.length > 0 ? told.join('; ') : null };
    };
    return [...this.#fitting].map(([name, fitting]) => ({
      name,
      kind: this.#kindOf(name, fitting),
      unit: this.#units.get(name) ?? units.get(name) ?? null,
      citations: [...(this.#citations.get(name)?.values() ?? cited[name] ?? [])].map(licensed),
    }));
  }

  #kindOf(name: string, fitting: ReadonlySet<ColumnKind>): ColumnKind {
    const usual = this.#usual.get(name);
    if (usual !== undefined && fitting.has(usual)) return usual;
    if (!this.#given.has(name)) return 'text';
    return INFERRED_KINDS.find(kind => fitting.has(kind)) ?? 'text';
  }
}
