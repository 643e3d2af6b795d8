import type { Provenance } from '../../place/place.ts';

const CITY = {
  publisher: 'City of Bangor, Maine (GIS and Assessor)',
  url: 'https://github.com/mainehackerclub/bangor',
  licence: 'MIT (repository that redistributes the city’s files; the city disclaims warranty)',
} as const;

/**
 * Provenance of a file of the city's 2013 publication.
 * @param source identifier of the real product, @param note what it stands in for; null when for nothing.
 * @param notes on columns.
 */
export function city(
  source: string,
  title: string,
  vintage: string,
  note: string | null,
  notes: NonNullable<Provenance['notes']> = [],
): Provenance {
  return { source, title, ...CITY, vintage, note, ...(notes.length ? { notes } : {}) };
}
