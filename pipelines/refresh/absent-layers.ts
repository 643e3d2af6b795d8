import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Coverage, joinsOf, type Place, type PlaceLayer } from '../../datasets/place/place.ts';
import { openSource } from '../../ingest/format.ts';
import type { AbsentLayer } from '../place-run.ts';
import { LayerError } from '../steps/layer-job.ts';
import { compileTest } from '../steps/normalise.ts';

type Outline = Extract<Coverage, { readonly file: string }>;

/** The outline of a layer without which it is left out; null where it has none, or needs its coverage. */
function optionalOutline({ coverage }: PlaceLayer): Outline | null {
  return coverage && 'file' in coverage && coverage.optional ? coverage : null;
}

/** Whether a file has a polygon that meets the condition of an outline. @throws ReadError when it cannot be read. */
async function hasPolygon({ file, where, options = {} }: Outline, sources: string): Promise<boolean> {
  const meets = where === undefined ? () => true : compileTest(where, new Date().toISOString().slice(0, 10));
  const source = await openSource(join(sources, file), { options });
  try {
    for await (const rows of source.rows())
      if (rows.some(({ geometry, properties }) => geometry && meets(properties))) return true;
    return false;
  } finally {
    await source.close();
  }
}

/** The optional files of a layer that are not there. */
function missingOf(layer: PlaceLayer, place: Place, sources: string): readonly string[] {
  return [layer, ...joinsOf(layer)]
    .map(({ file }) => file)
    .filter(file => place.files?.[file]?.optional && !existsSync(join(sources, file)));
}

/** Why a layer is left out; null where it is not. @throws ReadError when its outline cannot be read. */
async function reasonOf(
  layer: PlaceLayer,
  place: Place,
  sources: string,
  gone: ReadonlyMap<string, Error>,
): Promise<string | null> {
  const [missing] = missingOf(layer, place, sources);
  if (missing !== undefined)
    return `${gone.get(missing)?.message ?? `${missing} is not in ${sources}`}; what lies there is not known, and answers beside it say so`;
  const outline = optionalOutline(layer);
  if (outline === null || !existsSync(join(sources, outline.file)) || (await hasPolygon(outline, sources))) return null;
  return `${outline.file} has no polygon where ${outline.where}, so where it is known is not known; give the outline that is meant as its coverage`;
}

const nameOf = ({ dataset, layer }: PlaceLayer) => `${dataset}:${layer}`;

/**
 * Leaves out of a place the layers whose file is optional and not there, such as that of a neighbor, and those whose coverage is
 * optional and has no polygon, such as that of a city whose code is mistyped. What else fills a layer of which a file is missing
 * does not hold all about the county. An outline that is not there is told by the ingest.
 * @param gone why files could not be had.
 * @throws ReadError when an outline cannot be read; LayerError when nothing is left.
 */
export async function withoutAbsent(
  place: Place,
  sources: string,
  gone: ReadonlyMap<string, Error>,
): Promise<{ readonly place: Place; readonly left: readonly AbsentLayer[] }> {
  const left: AbsentLayer[] = [];
  const layers: PlaceLayer[] = [];
  const parts = new Set<string>();
  for (const layer of place.layers) {
    const why = await reasonOf(layer, place, sources, gone);
    if (why === null) layers.push(layer);
    else left.push({ layer: nameOf(layer), file: layer.file, why });
    if (why !== null && missingOf(layer, place, sources).length > 0) parts.add(nameOf(layer));
  }
  if (layers.length === 0)
    throw new LayerError(
      `${place.name}: nothing is left of it: ${left.map(({ file, why }) => `${file}: ${why}`).join('; ')}`,
    );
  if (left.length === 0) return { place, left };
  const bounded = layers.map(layer => {
    if (!layer.cut?.whole || !parts.has(nameOf(layer))) return layer;
    const { whole: _, ...cut } = layer.cut;
    return { ...layer, cut };
  });
  return { place: { ...place, layers: bounded }, left };
}
