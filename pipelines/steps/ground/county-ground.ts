import { join } from 'node:path';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import { type Box, boxOf, union } from '../../../datasets/geometry.ts';
import type { Place } from '../../../datasets/place/place.ts';
import { projectRows, resolveCrs, statedCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import { compileExpression, compileTest } from '../normalise.ts';

/**
 * Returns the boxes (lng,lat degrees) of counties by FIPS code, from the file of counties that a place maps without joins. The
 * map is empty if there is no such file or it cannot be read; its own layer reports that fault. A county on both sides of 180° has
 * no box, because the box would hold all longitudes.
 */
export async function countyGrounds(place: Place, sources: string, asOf: string): Promise<ReadonlyMap<string, Box>> {
  const found = new Map<string, Box>();
  const layer = place.layers.find(l => l.dataset === 'census_tiger' && l.layer === 'county' && !l.join && !l.repeat);
  const wanted = new Set([place.county, ...place.layers.map(l => l.county)].filter(county => county !== undefined));
  const code = layer?.columns.GEOID;
  if (!layer || code === undefined || wanted.size === 0) return found;
  const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
  if (target.kind === 'raster') return found;
  const codeOf = compileExpression(code, target.columns.GEOID!.type, asOf);
  const meets = layer.where === undefined ? null : compileTest(layer.where, asOf);
  const { file, format, options } = layer;
  const source = await openSource(join(sources, file), { format, options: options ?? {} }).catch(() => null);
  if (!source) return found;
  try {
    const crs = await resolveCrs(statedCrs(source.crs, options ?? {}), file);
    for await (const batch of source.rows())
      for (const { geometry, properties } of await projectRows(crs, batch)) {
        if (!geometry?.xy.length || (meets && !meets(properties))) continue;
        const county = String(codeOf(properties));
        if (!wanted.has(county)) continue;
        const box = union(found.get(county) ?? null, boxOf(geometry));
        if (box && box[2] - box[0] < 180) found.set(county, box);
      }
  } catch {
    found.clear();
  } finally {
    await source.close();
  }
  return found;
}
