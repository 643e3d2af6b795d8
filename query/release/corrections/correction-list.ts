import { join } from 'node:path';
import { distance } from '../../geometry/geodesic.ts';
import { HomeList } from '../home/home-list.ts';

/** Value that a correction may have. */
export type CorrectedValue = string | number | boolean;

/** A correction that somebody reviewed and accepted, as answers may tell it: a line of the list. */
export interface AcceptedCorrection {
  readonly correction_id: string;
  /** A name of the fetch or enrich catalog. */
  readonly field: string;
  /** Other names of the same value: the column of parcels that the field reads, or the fields that read the column. */
  readonly also: readonly string[];
  /** Fields that rest on the same statement of the source and are not corrected with it; of earlier builds without. */
  readonly touches?: readonly string[];
  /** Dataset of the field, whose value it replaces. */
  readonly dataset: string;
  readonly value: CorrectedValue;
  /** The parcel that it is about; null where it is about the place alone. */
  readonly parcel_id: string | null;
  /** WGS84: the place, or an interior point of the parcel. */
  readonly lat: number;
  readonly lng: number;
  /** Where the evidence is published; null where it has no address. */
  readonly evidence_url: string | null;
  /** UTC with milliseconds and Z. */
  readonly accepted_at: string;
}

/** Metres about a place within which its correction counts: what a coordinate of four decimals may be off. */
export const REACH_M = 10;

/** Whether a place is the one that a correction is about. */
export const isNear = (
  of: Pick<AcceptedCorrection, 'lat' | 'lng'>,
  { lat, lng }: Pick<AcceptedCorrection, 'lat' | 'lng'>,
) => distance(of.lng, of.lat, lng, lat) <= REACH_M;

/** Corrections by what they are about. */
export interface PlacedCorrections {
  readonly ofParcels: ReadonlyMap<string, AcceptedCorrection>;
  readonly ofPlaces: readonly AcceptedCorrection[];
}

/** The corrections of one field. */
export interface FieldCorrections extends PlacedCorrections {
  /** Those of other fields, which touch it. */
  readonly besides: PlacedCorrections;
  /** Changes when they do. */
  readonly stamp: string;
}

/** Accepted corrections of an installation. */
export interface CorrectionList {
  /** Mark of its content; empty where nothing is corrected. */
  readonly stamp: string;
  readonly entries: readonly AcceptedCorrection[];
  readonly fields: ReadonlyMap<string, FieldCorrections>;
}

const NOTHING: CorrectionList = { stamp: '', entries: [], fields: new Map() };

/** Path of an installation's corrections: beside its releases, which come and go without them. */
export const correctionsPath = (home: string): string => join(home, 'corrections.ndjson');

function isEntry(value: unknown): value is AcceptedCorrection {
  if (typeof value !== 'object' || value === null) return false;
  const {
    correction_id,
    field,
    also,
    touches = [],
    dataset,
    value: says,
    parcel_id,
    lat,
    lng,
    evidence_url,
    accepted_at,
  } = value as Readonly<Record<string, unknown>>;
  const isText = (text: unknown) => typeof text === 'string';
  return (
    [correction_id, field, dataset, accepted_at].every(isText) &&
    [also, touches].every(names => Array.isArray(names) && names.every(isText)) &&
    ['string', 'number', 'boolean'].includes(typeof says) &&
    [parcel_id, evidence_url].every(one => one === null || isText(one)) &&
    typeof lat === 'number' &&
    typeof lng === 'number'
  );
}

/** Reads the lines of a list. @throws Error that names the line that cannot be read. */
function parse(text: string): AcceptedCorrection[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {}
    if (!isEntry(entry)) throw new Error(`line ${i + 1} of the list of corrections cannot be used`);
    return [entry];
  });
}

const placed = (entries: readonly AcceptedCorrection[]): PlacedCorrections => ({
  ofParcels: new Map(entries.flatMap(one => (one.parcel_id === null ? [] : [[one.parcel_id, one] as const]))),
  ofPlaces: entries.filter(one => one.parcel_id === null),
});

/** The corrections of a list by what they are about. @param entries of two about the same the later one counts. */
function correctionListOf(entries: readonly AcceptedCorrection[], stamp: string): CorrectionList {
  if (entries.length === 0) return NOTHING;
  const named = entries.flatMap(entry => {
    const own = [entry.field, ...entry.also].map(name => ({ name, entry, isOwn: true }));
    return [...own, ...(entry.touches ?? []).map(name => ({ name, entry, isOwn: false }))];
  });
  const fields = new Map(
    [...Map.groupBy(named, ({ name }) => name)].map(([field, all]): [string, FieldCorrections] => {
      const entriesOf = (own: boolean) => all.flatMap(({ entry, isOwn }) => (isOwn === own ? [entry] : []));
      const besides = placed(entriesOf(false));
      const ids = all.map(({ entry }) => entry.correction_id);
      return [field, { ...placed(entriesOf(true)), besides, stamp: ids.join(' ') }];
    }),
  );
  return { stamp, entries, fields };
}

/** Sources are answered as they are where the list cannot be read. */
const lists = new HomeList<CorrectionList>({
  path: correctionsPath,
  read: (text, mark) => correctionListOf(parse(text), `corrected ${mark}`),
  absent: NOTHING,
  unreadable: () => NOTHING,
});

/** Corrections that the answers of a release heed: none in an earlier one, which is told as it was published. */
export const correctionsOf = ({ home, asPublished }: { readonly home: string; readonly asPublished?: true }) =>
  asPublished ? NOTHING : lists.of(home);
