import type { BatchEntry, BatchResult } from '../fetch/batch-schema.ts';
import { csvLine } from '../formats/csv-cell.ts';

const failedFields = (entry: BatchEntry) =>
  entry.ok ? Object.keys(entry.fields).filter(name => entry.fields[name]!.status === 'failed') : [];

/**
 * Writes the results of a run as CSV (RFC 4180, UTF-8): one row for each location, in the order of the request.
 * @param names of the fields: one column each.
 */
export function toCsv(names: readonly string[], { results }: BatchResult): string {
  const rows = results.map(entry =>
    entry.ok
      ? [
          entry.index,
          true,
          entry.resolved_location.lat,
          entry.resolved_location.lng,
          entry.resolved_location.source,
          null,
          ...names.map(name => entry.fields[name]?.value),
          failedFields(entry).join(' '),
        ]
      : [entry.index, false, null, null, null, entry.error.error, ...names.map(() => null), null],
  );
  const header = ['index', 'ok', 'lat', 'lng', 'source', 'error', ...names, 'failed_fields'];
  return [header, ...rows].map(csvLine).join('');
}

/** Writes the results of a run as GeoJSON (RFC 7946): a point for each location. Failed locations have no geometry. */
export function toFeatures(names: readonly string[], { results }: BatchResult): object {
  const features = results.map(entry => ({
    type: 'Feature',
    geometry: entry.ok
      ? { type: 'Point', coordinates: [entry.resolved_location.lng, entry.resolved_location.lat] }
      : null,
    properties: entry.ok
      ? {
          index: entry.index,
          ok: true,
          ...Object.fromEntries(names.map(name => [name, entry.fields[name]?.value ?? null])),
        }
      : { index: entry.index, ok: false, error: entry.error.error },
  }));
  return { type: 'FeatureCollection', features };
}
