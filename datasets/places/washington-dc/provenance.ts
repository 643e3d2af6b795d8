import type { Provenance } from '../../place/place.ts';

const DISTRICT = {
  publisher: 'Government of the District of Columbia (Open Data DC)',
  url: 'https://github.com/benbalter/dc-maps',
  licence: 'not stated by the repository; US public record',
} as const;

/**
 * Provenance of a file of Open Data DC as copied in August 2016.
 * @param source identifier of the real product, @param note what it stands in for; null when for nothing.
 * @param notes on columns.
 */
export function district(
  source: string,
  title: string,
  vintage: string,
  note: string | null,
  notes: NonNullable<Provenance['notes']> = [],
): Provenance {
  return { source, title, ...DISTRICT, vintage, note, ...(notes.length ? { notes } : {}) };
}
