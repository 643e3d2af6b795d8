import { Fault, Interrupted } from '../fault.ts';
import { distance } from '../geodesic.ts';
import { Layers } from '../layer.ts';
import type { TaskEnvironment } from '../task.ts';
import { type ParsedAddress, parseAddress } from './address.ts';
import { addressPartitions } from './address-partition.ts';
import { POINT_KINDS } from './address-row.ts';
import { coarseMatches } from './coarse.ts';
import { findHits, type Hit, SAME_STREET } from './hit.ts';
import { type Localised, localise } from './localise.ts';
import { Localities } from './locality.ts';
import type { AddressMatch, Geocoded } from './match.ts';
import { COST } from './similarity.ts';
import { unsupportedForm } from './unsupported-form.ts';

/** Similarities within this much of the best one's are comparable: less than a directional that is missing. */
const COMPARABLE = 0.025;
/** Answers of two sources for one street and number this near one another are one place: metres. */
const SAME_ANSWER_M = 3_000;
/** Answers this near one another are one place whatever they are called, and those of one source and address: metres. */
const SAME_PLACE_M = 50;
const SAME_SOURCE_M = 250;
/** Most that are returned. */
const MOST_MATCHES = 10;
/** Candidates whose locality is looked at, best first: a name as common as MAIN ST stands in every town of a state. */
const MOST_LOCALISED = 200;
/** A result this similar needs no search for mistyped names. */
const SURE = 0.95;

/** Rooftops before estimates where similarities are equal. */
const RANK: Readonly<Record<AddressMatch['accuracyType'], number>> = {
  rooftop: 0,
  nearest_rooftop_match: 1,
  point: 2,
  intersection: 3,
  range_interpolation: 4,
  street_center: 5,
  place: 6,
  county: 7,
  state: 8,
};

/** An address point before a building, a building before the parcel around it. */
const kindRank = ({ matchType }: AddressMatch): number =>
  (POINT_KINDS as readonly (string | null)[]).indexOf(matchType);

const better = (a: AddressMatch, b: AddressMatch): number =>
  b.similarity - a.similarity ||
  RANK[a.accuracyType] - RANK[b.accuracyType] ||
  kindRank(a) - kindRank(b) ||
  (a.normalizedAddress < b.normalizedAddress ? -1 : 1);

/** The street part of a normalised address: what two answers must share to be one. */
const lineOf = (match: AddressMatch) => match.normalizedAddress.split(',')[0]!;

/** The best match and the distinct places whose similarity is comparable with it. */
function comparable(sorted: readonly AddressMatch[]): AddressMatch[] {
  const [best] = sorted;
  if (!best) return [];
  const kept: AddressMatch[] = [];
  for (const match of sorted) {
    if (match.similarity < best.similarity - COMPARABLE || kept.length >= MOST_MATCHES) break;
    // A known house outweighs an estimate on another street.
    if (RANK[best.accuracyType] <= RANK.point && RANK[match.accuracyType] > RANK.point) continue;
    const same = kept.some(other => {
      const metres = distance(other.lng, other.lat, match.lng, match.lat);
      if (metres <= SAME_PLACE_M) return true;
      // One source knows two places of an address apart; two sources show one place, its building and its large lot.
      const within =
        other.matchType === match.matchType && other.source === match.source ? SAME_SOURCE_M : SAME_ANSWER_M;
      return lineOf(other) === lineOf(match) && metres <= within;
    });
    if (!same) kept.push(match);
  }
  return kept;
}

const round3 = (value: number) => Math.round(value * 1000) / 1000;

function toMatch({ hit, cost, city, zip, county, state }: Localised): AddressMatch {
  const { house, partition } = hit;
  const place = [city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return {
    lng: house.lng,
    lat: house.lat,
    similarity: Math.max(0, round3(1 - cost)),
    accuracyType: house.accuracyType,
    matchType: house.matchType,
    normalizedAddress: [hit.line, place].filter(Boolean).join(', '),
    source: partition.provenance.source,
    city,
    state,
    zip,
    countyFips: county,
  };
}

/** Whether the street that was asked for is the found one but for the suffix: S BROADWAY for S BROADWAY ST. */
function onlyLacksSuffix({ reading: { street }, entry: { street: found } }: Hit): boolean {
  if (!street || street.suffix !== null || street.key !== found.key) return false;
  return street.pre === found.pre && street.post === found.post;
}

/** The city that the address names: that of the reading which answered, else of the likeliest that has one. */
function cityOf(parsed: ParsedAddress, best: Hit | undefined): string | null {
  if (best) return best.reading.city;
  const readings = parsed.located.flatMap(l => l.readings);
  const street = readings.find(r => r.street !== null && r.street.suffix !== null && r.city !== null);
  return (street ?? readings.find(r => r.city !== null))?.city ?? null;
}

/**
 * Finds the places that an address of the United States may mean among the addresses, street ranges, streets and areas of
 * a release (docs/geocoding.md). Only partitions of the state that the address names are opened, and of those only
 * the ones around its city or ZIP code where these are known.
 * @param address as typed, 1 to 256 characters.
 * @throws Fault, DamagedFile when a file that is needed is missing or damaged; Interrupted once nobody waits.
 */
export async function geocode(
  address: string,
  environment: Pick<TaskEnvironment, 'release' | 'cache' | 'deadline' | 'stopped'>,
): Promise<Geocoded> {
  const { release, cache, deadline, stopped } = environment;
  const nothing = { matches: [], city: null, uncovered: release === null };
  if (!release) return nothing;
  const check = () => {
    if (stopped()) throw new Interrupted();
    if (Date.now() > deadline) throw new Fault('the time for this address was up', true);
  };
  const layers = new Layers(release, cache);
  const partitions = addressPartitions(layers);
  if (!partitions.length) return { ...nothing, uncovered: true };
  if (unsupportedForm(address) !== null) return nothing;
  const parsed = parseAddress(address);
  if (parsed.abroad || (!parsed.located.length && parsed.zip === null)) return nothing;
  const localities = new Localities(layers);

  const found: Localised[] = [];
  for (const mistyped of [false, true]) {
    if (mistyped && found.some(f => 1 - f.cost >= SURE || f.hit.streetCost <= SAME_STREET)) break;
    for (const located of parsed.located) {
      // The likeliest state comes first; others are of words that could be part of the street.
      if (found.some(f => 1 - f.cost >= SURE)) break;
      const hits = await findHits({ layers, localities, partitions, parsed, located, mistyped, check });
      hits.sort((a, b) => a.cost - b.cost);
      for (const hit of hits.slice(0, MOST_LOCALISED)) {
        check();
        const localised = await localise(hit, parsed, localities);
        if (hit.wanted === null || localised.state === hit.wanted) found.push(localised);
      }
    }
  }
  // Where the city has the very street that was asked for, no street of a like name answers for it.
  const there = found.some(f => f.hit.streetCost <= SAME_STREET && f.cost - f.hit.cost <= COST.cityMissing);
  const meant = there ? found.filter(f => f.hit.streetCost <= SAME_STREET || onlyLacksSuffix(f.hit)) : found;
  const matches = meant.map(toMatch);
  matches.push(...(await coarseMatches(parsed, localities)));
  layers.requireUnchanged();
  const kept = comparable(matches.sort(better));
  const best = kept[0] && found.find(f => f.hit.house.lng === kept[0]!.lng && f.hit.house.lat === kept[0]!.lat);
  return { matches: kept, city: cityOf(parsed, best?.hit), uncovered: false };
}
