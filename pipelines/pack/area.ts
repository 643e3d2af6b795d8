import type { Geometry } from '../../datasets/geometry.ts';
import { projectRows, resolveCrs, statedCrs } from '../../ingest/crs.ts';
import { openSource } from '../../ingest/format.ts';
import { UsageError } from '../../query/engine/command.ts';
import { loadGeos, polygonsToGeometry, ringsOf } from '../../query/geometry/geos.ts';
import { judge } from '../steps/validity.ts';

/**
 * The polygons of a file of any format that an ingest reads, in lng,lat degrees.
 * @throws UsageError for a file without polygons, or with something else or an invalid one among them; ReadError for one that cannot
 *   be read.
 */
export async function readArea(path: string): Promise<Geometry> {
  const geos = await loadGeos();
  const polygons: Float64Array[][] = [];
  const source = await openSource(path);
  try {
    const crs = await resolveCrs(statedCrs(source.crs, {}), path);
    for await (const batch of source.rows())
      for (const { geometry, number, unread } of await projectRows(crs, batch)) {
        const verdict = judge(geometry, 'polygon', geos);
        if (verdict.kind === 'rejected')
          throw new UsageError(
            `${path}, row ${number}: ${unread?.reason ?? verdict.reason}; expected polygons that do not cross themselves`,
          );
        polygons.push(...ringsOf(verdict.geometry));
      }
  } finally {
    await source.close();
  }
  if (polygons.length === 0) throw new UsageError(`${path} holds no polygon; expected those of an area`);
  return polygonsToGeometry(polygons);
}
