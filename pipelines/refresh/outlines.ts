import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage, Place, PlaceLayer } from '../../datasets/place/place.ts';
import { openSource } from '../../ingest/format.ts';
import type { LeftLayer } from '../place-run.ts';
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

/**
 * Leaves out of a place the layers whose coverage is optional and has no polygon, such as that of a city whose code is mistyped: of
 * where they are known nothing is known then. A file that is not there is told by the ingest.
 * @throws ReadError when an outline cannot be read; LayerError when nothing is left.
 */
export async function withOutlines(
  place: Place,
  sources: string,
): Promise<{ readonly place: Place; readonly left: readonly LeftLayer[] }> {
  const left: LeftLayer[] = [];
  const layers: PlaceLayer[] = [];
  for (const layer of place.layers) {
    const outline = optionalOutline(layer);
    if (outline === null || !existsSync(join(sources, outline.file)) || (await hasPolygon(outline, sources)))
      layers.push(layer);
    else
      left.push({
        layer: `${layer.dataset}:${layer.layer}`,
        file: layer.file,
        why: `${outline.file} has no polygon where ${outline.where}, so where it is known is not known; give the outline that is meant as its coverage`,
      });
  }
  if (layers.length === 0)
    throw new LayerError(
      `${place.name}: nothing is left of it: ${left.map(({ file, why }) => `${file}: ${why}`).join('; ')}`,
    );
  return left.length > 0 ? { place: { ...place, layers }, left } : { place, left };
}
