import type { Findings } from '../../../ingest/reader.ts';
import type { LayerJob } from '../layer-job.ts';

/** Rows that services give at most in one answer, unless they are told otherwise: ArcGIS, Socrata, GeoServer. */
const LIMITS: ReadonlySet<number> = new Set([1000, 2000]);
/** Addresses at which services answer queries, instead of handing out files. */
const SERVICE =
  /\/(?:Feature|Map)Server\b|\/query\?|\/resource\/\w{4}-\w{4}|\bGetFeature\b|\bservice=WFS\b|\/collections\/[^/]+\/items/i;

/** Protocols whose downloads fetch page after page and count the rows. */
const PAGED: ReadonlySet<string> = new Set(['arcgis', 'socrata', 'ogc']);

/**
 * Why a file holds only a part of what its publisher has: the answer says so itself, or it has exactly as many rows as services give
 * at most. A place that expects so many rows knows better.
 */
export function cappedBy(
  { layer, place }: Pick<LayerJob, 'layer' | 'place'>,
  read: number,
  findings: Findings | undefined,
): string | null {
  if (findings?.capped) return findings.capped;
  if (!LIMITS.has(read) || layer.expectRows === read) return null;
  const published = place.files?.[layer.file];
  if (published && PAGED.has(published.via ?? '')) return null;
  const isOfService = [published?.url, layer.provenance.url].some(url => url && SERVICE.test(url));
  if (!findings?.isAnswer && !isOfService) return null;
  return `it has exactly ${read} rows, at which services end an answer; if it is whole, say so with expectRows: ${read}`;
}
