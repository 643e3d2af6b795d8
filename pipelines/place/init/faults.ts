import type { Box } from '../../../datasets/geometry.ts';
import { boxOf } from '../../../datasets/geometry.ts';
import { DEFAULT_EXPECTATION } from '../../../datasets/place/expectation.ts';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import { judge } from '../../steps/validity.ts';
import type { GuessedLayer } from './guess.ts';

const touch = (a: Box, b: Box) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/**
 * Adds `expect` to a national layer if too many of its polygons are rejected but none of them on the place's ground. So a fault
 * elsewhere does not stop the ingest of this place. A fault on its ground does.
 * @param anchor lng,lat box of the place's own files.
 */
export async function withFaultsElsewhere(
  layers: readonly GuessedLayer[],
  anchor: Box | null,
): Promise<GuessedLayer[]> {
  const geos = await loadGeos();
  const judged = async (layer: GuessedLayer): Promise<GuessedLayer> => {
    const { sample, rest } = layer;
    if (!rest.national || !anchor || sample.geometry !== 'polygon' || sample.crs === null) return layer;
    if (sample.kept.length < sample.rows) return layer;
    const rows = await projectRows(await resolveCrs(sample.crs, sample.file), sample.kept);
    const faults = rows.flatMap(({ number, geometry }) => {
      const verdict = judge(geometry, 'polygon', geos);
      return verdict.kind === 'rejected' ? [{ row: number, geometry, reason: verdict.reason }] : [];
    });
    const share = faults.length / sample.rows;
    if (share <= DEFAULT_EXPECTATION.rejected) return layer;
    if (faults.some(({ geometry }) => !geometry?.xy.length || touch(boxOf(geometry), anchor))) return layer;
    const [first] = faults;
    const because =
      `${faults.length} of ${sample.rows} rows ${faults.length === 1 ? 'is' : 'are'} rejected, none on the ground of this place, ` +
      `as row ${first!.row}: ${first!.reason}`;
    return { ...layer, rest: { ...rest, expect: { rejected: Math.ceil(share * 1000) / 1000, because } } };
  };
  return Promise.all(layers.map(judged));
}
