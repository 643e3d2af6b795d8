import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '../../../datasets/catalog.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import type { Place } from '../../../datasets/place/place.ts';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { SOURCES } from '../bangor.ts';
import { asker } from '../oracle/subject.ts';
import { CellWriter } from './cell-sql.ts';
import { comparisonOf, type FieldTally } from './comparison.ts';
import { type FieldStatement, FieldWriter, NotComputed } from './field-sql.ts';
import { MORE_LAYERS, type MoreLayer } from './more-layers.ts';
import { Publication } from './publication.ts';
import { drawPoints, hull } from './sample.ts';

/** What came of the fields of a place. */
export interface PlaceCheck {
  readonly tallies: readonly FieldTally[];
  /** Why others were not computed. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Layers that a call and the calls and fields within it read. */
function layersOf(call: Expression): string[] {
  return [
    ...call.sources.map(({ dataset, layer }) => `${dataset}:${layer}`),
    ...Object.values(call.inputs).flatMap(input =>
      layersOf('field' in input ? catalog.fields.get(input.field)!.expression : input),
    ),
  ];
}

/** The fields of the catalog as statements over the files of a place, and why the others are none. */
async function statementsOf(publication: Publication, more: readonly MoreLayer[]) {
  const [fields, cells] = [new FieldWriter(publication), new CellWriter(publication)];
  const partial = new Map(more.map(({ layer, fields: told }) => [`${layer.dataset}:${layer.layer}`, told]));
  const statements = new Map<string, FieldStatement>();
  const reasons = new Map<string, string>();
  for (const { name, expression } of catalog.fields.values())
    try {
      if (layersOf(expression).some(layer => partial.get(layer)?.includes(name) === false))
        throw new NotComputed('the published file does not tell what it asks for');
      const raster = expression.op.startsWith('raster_');
      statements.set(name, raster ? await cells.of(expression) : fields.of(expression));
    } catch (error) {
      if (!(error instanceof NotComputed)) throw error;
      reasons.set(name, error.message);
    }
  return { statements, reasons };
}

/** Ingests a place with its further layers, and holds what Plat answers against PostGIS. @param url of an empty database. */
export async function checkPlace(name: string, url: string): Promise<PlaceCheck> {
  const more = MORE_LAYERS.filter(({ place }) => place === name);
  const built = builtInPlace(name);
  const place: Place = { ...built, layers: [...built.layers, ...more.map(({ layer }) => layer)] };
  const home = mkdtempSync(join(tmpdir(), 'plat-checked-'));
  const publication = await Publication.of(url, place.layers);
  try {
    await run({ home, sources: SOURCES, place, threads: 0, progress: SILENT });
    const { coverage } = place;
    const raster = [...publication.layers.values()].find(({ kind }) => kind === 'raster');
    const ground =
      coverage && 'file' in coverage
        ? `(select st_union(st_makevalid(geom_)) from ${await publication.raw(coverage.file, undefined, SOURCES)})`
        : hull(raster!);
    await drawPoints(publication, ground);
    const { statements, reasons } = await statementsOf(publication, more);
    return { tallies: await comparisonOf(name, publication, statements, asker(home)), reasons };
  } finally {
    await publication.close();
    rmSync(home, { recursive: true, force: true });
  }
}
