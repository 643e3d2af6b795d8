import type { Value } from '../../../datasets/dataset.ts';
import { acresApart, SAID_ACRES } from '../../../datasets/parcel/disagreement.ts';
import type { Partition } from '../../../datasets/release.ts';

type Properties = Readonly<Record<string, Value | undefined>>;

/** Shares by which notes tell how far acres are apart: parcels share a note. */
const STEPS = [1, 0.5, 0.2, 0.1, 0.05] as const;
const percentOf = (share: number): number => Math.round((STEPS.find(step => Math.abs(share) >= step) ?? 0.05) * 100);

const WORDS: Readonly<Record<(typeof SAID_ACRES)[number], string>> = {
  deeded_acres: 'the deed',
  gisacre: 'the county',
};

/** Columns that are of the ground a parcel has. */
const isAcres = (column: string): boolean =>
  column === 'acreage' || column === '@area_m2' || (SAID_ACRES as readonly string[]).includes(column);

const NONE: readonly string[] = [];

/**
 * What is said of acres that two sources give differently, with the rule by which one is answered.
 * @param column that is answered: of parcels, or `@area_m2`.
 * @param partition whose row the properties are.
 */
export function acreNotes(column: string, properties: Properties, { unpublished }: Partition): readonly string[] {
  if (!isAcres(column)) return NONE;
  const own = (SAID_ACRES as readonly string[]).includes(column);
  return SAID_ACRES.flatMap(name => {
    if ((own && name !== column) || unpublished.includes(name)) return [];
    const share = acresApart(properties.acreage, properties[name]);
    if (share === null) return [];
    const apart = `over ${percentOf(share)} percent ${share > 0 ? 'more' : 'fewer'} acres`;
    const rule = own
      ? 'what the source says is answered here, and the outline for the area'
      : 'the outline is answered, because it is measured alike everywhere';
    return [`sources disagree: ${WORDS[name]} says ${apart} (${name}) than the outline has; ${rule}`];
  });
}

/** Texts of zones are one where letters and digits are. */
const plainZone = (text: unknown): string =>
  String(text)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');

/** What is said where the map of zones has another zone on a parcel than its assessor says. @param mapped null where it has none. */
export function zoneNotes(assessed: Value, mapped: Value): readonly string[] {
  if (assessed === null || mapped === null || plainZone(assessed) === plainZone(mapped)) return NONE;
  return [
    `sources disagree: the zoning map has ${mapped} on most of the parcel; what the assessor says is answered, because it is said of this parcel`,
  ];
}
