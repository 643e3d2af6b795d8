import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Coverage } from '../../release/coverage.ts';
import { lackingReason, unpublishedPart } from '../unpublished.ts';
import { coverageShapes, type Shape } from '../vector/coverage-shapes.ts';
import { type Search, searchAt } from '../vector/vector-search.ts';
import type { AreaContext } from './area.ts';

/** Ground of the area on which one set of partitions answers. */
export interface Piece {
  readonly search: Search;
  /** What the ground lies in; null for everywhere. */
  readonly within: readonly Shape[] | null;
  /** What it does not lie in. */
  readonly without: readonly Shape[];
}

/** The ground of a layer under an area. */
export interface Pieces {
  readonly pieces: readonly Piece[];
  /** Why some ground has no piece, beside that no coverage holds it. */
  readonly notes: readonly string[];
  /** Whom an absence cites. */
  readonly covering: readonly Partition[];
}

/** Coverages of a layer about the area; layers of a place share their files, and then what was read of them. */
async function coverages(ctx: AreaContext, coverage: Coverage) {
  const out: { readonly partition: Partition; readonly shapes: readonly Shape[] }[] = [];
  for (const partition of ctx.layers.coveringAbout(coverage, ctx.area.box)) {
    const file = partition.coverage === 'extent' ? null : ctx.layers.file(partition, 'coverage');
    const key = file ? `coverage over ${file.sha256}` : `extent over ${partition.box?.join()}`;
    const shapes = await ctx.memo(key, () => coverageShapes(ctx, partition, ctx.area.box));
    if (shapes.length) out.push({ partition, shapes });
  }
  return out;
}

/**
 * Which partitions of a layer answer where on an area, as Layers.at has it of a point: where places with a coverage of
 * their own hold the ground only these, elsewhere those that cover everywhere.
 * @param more columns that the operator reads of every feature, beside those of the condition.
 * @throws Fault when the layer is not installed or a coverage file is unreadable.
 */
export async function piecesOf(
  ctx: AreaContext,
  source: SourceRef,
  where: Condition | null,
  more: readonly string[] = [],
): Promise<Pieces> {
  const coverage = Coverage.of(ctx.layers.version(source.dataset, source.layer));
  const held = await coverages(ctx, coverage);
  const columns = [...more, ...columnsOf(where)];
  const reasons = new Map(held.map(({ partition }) => [partition, unpublishedPart(partition, columns, where)]));
  const telling = held.filter(({ partition }) => reasons.get(partition) === null);
  const notes = [...reasons].flatMap(([partition, lacks]) => (lacks ? [lackingReason(partition, lacks)] : []));
  const pieces: Piece[] = [];
  if (telling.length) {
    const at = coverage.at(telling.map(({ partition }) => partition));
    const within = distinct(telling.flatMap(({ shapes }) => shapes));
    pieces.push({ search: searchAt(at, source, where, more), within, without: [] });
  }
  const everywhere = coverage.at([]);
  if (everywhere.covering.length) {
    const search = searchAt(everywhere, source, where, more);
    const without = distinct(held.flatMap(({ shapes }) => shapes));
    if (search.absent) notes.push(search.absent);
    else pieces.push({ search, within: null, without });
  }
  for (const { search } of pieces) for (const note of search.notes) if (!notes.includes(note)) notes.push(note);
  const covering = [...held.map(({ partition }) => partition), ...everywhere.covering];
  return { pieces, notes: [...new Set(notes)], covering };
}

const distinct = (shapes: readonly Shape[]): readonly Shape[] => [...new Set(shapes)];

/** Why nothing is said of any of the area. */
export const outsideReason = (source: SourceRef, { notes, covering }: Pieces): string =>
  notes[0] ?? `outside the coverage of ${layerWords(source, covering)}`;
