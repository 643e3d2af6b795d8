import type { TaskEnvironment } from '../evaluate/environment.ts';
import { distance } from '../geometry/geodesic.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import { Layers } from '../release/layers.ts';
import { type ParsedAddress, parseAddress } from './address/address.ts';
import { cityCost } from './address/city.ts';
import { relationIn } from './address/relation.ts';
import { COST } from './address/similarity.ts';
import { streetText } from './address/street.ts';
import { ofStreetType } from './address/street-type.ts';
import { unsupportedForm } from './address/unsupported-form.ts';
import { areaNamed, isState } from './area-name.ts';
import { SAME_STREET } from './candidate.ts';
import { coarseMatches } from './coarse.ts';
import { findHits, type Hit, type Search } from './hit.ts';
import { ENDS_M, ONE_HOUSE_M } from './house.ts';
import { type AddressPartition, addressIndex, addressPartitions } from './index/address-partition.ts';
import { POINT_KINDS } from './index/address-row.ts';
import { type Localised, localise } from './localise.ts';
import { Localities } from './locality.ts';
import { standsOnOtherLot } from './lot.ts';
import type { AddressMatch, Geocoded } from './match.ts';
import { NOTHING, surroundingsOf } from './surroundings.ts';

/** Similarities within this much of the best one's are comparable: less than a directional that is missing. */
const COMPARABLE = 0.025;
/** Answers of two sources for one street and number this near one another are one place: metres. */
const SAME_ANSWER_M = 3_000;
/** Answers this near one another are one place whatever they are called, and those of one source and address: metres. */
const SAME_PLACE_M = 50;
const SAME_SOURCE_M = 250;
/** Least similarity that a server answers with (part of the interface of POST /v1/geocode). */
const ANSWERED = 0.8;
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

/** A match with what it is compared by. */
interface Found {
  readonly match: AddressMatch;
  /** Null for an area. */
  readonly hit: Hit | null;
  /** Number and street as they were asked for where the number is known, else as they were found. */
  readonly line: string;
  /** What its words lack of the address, without what its number lacks: 1 where it is the very street and city. */
  readonly words: number;
  /** Whether the address names no city and no ZIP code, so that the same line may stand in several. */
  readonly anywhere: boolean;
  /** Who says the city: its own row or the places around it, which draw post towns otherwise. */
  readonly cityBy: 'row' | 'place';
}

/** Whether two matches lie in cities that tell them apart; null where that cannot be told. */
function inOtherCity({ match: a, cityBy }: Found, { match: b, ...other }: Found): boolean | null {
  if (a.city === null || b.city === null) return null;
  const names = ({ city, postalCity }: AddressMatch) => [city!, ...(postalCity === undefined ? [] : [postalCity])];
  if (names(a).some(name => names(b).some(other => cityCost(name, other) !== null))) return false;
  return cityBy === other.cityBy && (a.zip === null || a.zip !== b.zip) ? true : null;
}

/** Whether two matches are one place that two sources, or one source in two rows, place differently. */
function isOnePlace(a: Found, b: Found): boolean {
  const metres = distance(a.match.lng, a.match.lat, b.match.lng, b.match.lat);
  const [end, other] = [a.hit?.house.end, b.hit?.house.end];
  if (end !== undefined && other !== undefined && end !== other) return metres <= ONE_HOUSE_M;
  if (metres <= SAME_PLACE_M) return true;
  // One source knows two places of an address apart; two sources show one place, its building and its large lot.
  const oneSource = a.match.matchType === b.match.matchType && a.match.source === b.match.source;
  const within = oneSource || inOtherCity(a, b) ? SAME_SOURCE_M : SAME_ANSWER_M;
  return a.line === b.line && metres <= within;
}

/** Whether a match is the same line in another city, of which the address names none: then it is as likely meant. */
const isNamesake = (best: Found, other: Found): boolean =>
  best.anywhere &&
  other.anywhere &&
  other.words >= best.words - COMPARABLE &&
  other.match.similarity >= ANSWERED &&
  !isOnePlace(best, other) &&
  (inOtherCity(best, other) ??
    distance(best.match.lng, best.match.lat, other.match.lng, other.match.lat) > SAME_ANSWER_M);

/** Whether two hits read an address in two ways of which nobody can tell which is meant: 5-12, 7L that may be 71, two addresses in one. */
function isOpen({ house: a, reading: r, entry: e }: Hit, { house: b, reading: s, entry: f }: Hit): boolean {
  if (r.piece !== undefined && s.piece !== undefined && r.piece !== s.piece) return true;
  if (e.street.whole !== f.street.whole) return false;
  const isOther = r.number?.text !== s.number?.text || (a.end !== undefined && b.end !== undefined && a.end !== b.end);
  return isOther || (a.part !== undefined && b.part !== undefined && a.number !== b.number);
}

/** Whether a match is a known house by another reading of the address. */
function isOtherReading({ hit: best, ...first }: Found, { hit: other, ...second }: Found): boolean {
  if (!best || !other || second.match.similarity < ANSWERED || !isOpen(best, other)) return false;
  const metres = distance(first.match.lng, first.match.lat, second.match.lng, second.match.lat);
  return (
    RANK[second.match.accuracyType] <= RANK.point && metres > (best.house.end === undefined ? ENDS_M : ONE_HOUSE_M)
  );
}

/** The best match and the distinct places whose similarity is comparable with it. */
function comparable(sorted: readonly Found[]): Found[] {
  const [best] = sorted;
  if (!best) return [];
  const kept: Found[] = [];
  for (const one of sorted) {
    const { match } = one;
    if (kept.length >= MOST_MATCHES) break;
    if (!isNamesake(best, one) && !isOtherReading(best, one)) {
      if (match.similarity < best.match.similarity - COMPARABLE) continue;
      // A known house outweighs an estimate on another street.
      if (RANK[best.match.accuracyType] <= RANK.point && RANK[match.accuracyType] > RANK.point) continue;
    }
    if (!kept.some(other => isOnePlace(other, one))) kept.push(one);
  }
  return kept;
}

const round3 = (value: number) => Math.round(value * 1000) / 1000;

function toFound(localised: Localised, parsed: ParsedAddress): Found {
  const { hit } = localised;
  const { number, city } = hit.reading;
  const line = number && hit.house.cost === 0 ? `${number.text} ${streetText(hit.entry.street)}` : hit.line;
  const match = toMatch(localised);
  return {
    match,
    hit,
    line,
    words: 1 - localised.cost + hit.house.cost,
    anywhere: city === null && parsed.zip === null,
    cityBy: hit.entry.city === null ? 'place' : 'row',
  };
}

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
    ...(hit.entry.postal !== null && { postalCity: hit.entry.postal }),
    state,
    zip,
    countyFips: county,
  };
}

/**
 * Leaves out houses by one reading of a number where the other has more digits and lies elsewhere on the street: 5-2521 is
 * rather unit 5 of a house that is only estimated than unit 2521 of the house 5.
 */
function withoutShorterParts(found: readonly Localised[]): Localised[] {
  const parts = found.filter(({ hit }) => hit.house.part !== undefined);
  const isElsewhere = (a: Hit, b: Hit) =>
    distance(a.house.lng, a.house.lat, b.house.lng, b.house.lat) > ENDS_M &&
    a.entry.street.whole === b.entry.street.whole;
  const isStructure = ({ house }: Hit) => RANK[house.accuracyType] <= RANK.point;
  const longest = Math.max(...parts.map(({ hit }) => hit.house.part!));
  if (parts.some(({ hit }) => hit.house.part === longest && isStructure(hit))) return [...found];
  return found.filter(({ hit }) => {
    if (hit.house.part === undefined || hit.house.part === longest) return true;
    return !parts.some(other => other.hit.house.part === longest && isElsewhere(hit, other.hit));
  });
}

/** Leaves out houses whose last digit is a letter of the address where no house has the number in front of it: 7B is rather that than 78. */
function withoutDoubtful(found: readonly Localised[]): readonly Localised[] {
  const isHouse = found.some(({ hit: { house } }) => !house.isDoubtful && RANK[house.accuracyType] <= RANK.point);
  return isHouse ? found : found.filter(({ hit }) => !hit.house.isDoubtful);
}

/** Takes out what stands on the lot of another address, where the roll knows the lot of the very address. */
async function withOwnLots(matches: Found[], layers: Layers): Promise<void> {
  const houses = matches.filter(({ hit, match }) => hit?.house.cost === 0 && match.similarity >= ANSWERED);
  const astray = new Set<Found>();
  for (const one of houses)
    for (const lot of houses) {
      if (one.line !== lot.line || one.hit!.dataset === lot.hit!.dataset || !isOnePlace(one, lot)) continue;
      if (await standsOnOtherLot(one.hit!, lot.hit!, layers)) astray.add(one);
    }
  for (const one of astray) matches.splice(matches.indexOf(one), 1);
}

/** The city that the address names: that of the reading which answered, else of the likeliest that has one. */
function cityOf(parsed: ParsedAddress, best: Hit | null | undefined): string | null {
  if (best) return best.reading.city;
  const readings = parsed.located.flatMap(l => l.readings);
  const street = readings.find(r => r.street !== null && r.street.suffix !== null && r.city !== null);
  return (street ?? readings.find(r => r.city !== null))?.city ?? null;
}

/**
 * The hits of a search in the state that they have to lie in, best first. Once the very house is known, what has lost so much
 * more that it cannot be comparable is not looked for.
 */
async function localisedHits(search: Search): Promise<Localised[]> {
  const { parsed, check } = search;
  const inState: Localised[] = [];
  const add = async (hit: Hit): Promise<Localised> => {
    check();
    const localised = await localise(hit, search);
    if (hit.wanted === null || localised.state === hit.wanted) inState.push(localised);
    return localised;
  };
  let most: number | null = null;
  const others: Hit[] = [];
  for await (const hits of findHits(search, () => most)) {
    const sure: Hit | undefined = most === null ? hits.find(hit => isVeryHouse(hit, parsed)) : undefined;
    const localised: Localised | undefined = sure && (await add(sure));
    if (localised && inState.includes(localised) && 1 - localised.cost >= SURE) most = localised.cost + COMPARABLE;
    others.push(...hits.filter(hit => hit !== sure));
  }
  others.sort((a, b) => a.cost - b.cost);
  for (const hit of others.slice(0, MOST_LOCALISED)) if (most === null || hit.cost <= most) await add(hit);
  return inState.sort((a, b) => a.hit.cost - b.hit.cost);
}

/** Whether a hit is the very house on the very street, whose city or ZIP code is all that is left to compare. */
const isVeryHouse = ({ house, cost, reading }: Hit, { zip }: ParsedAddress): boolean =>
  cost <= SAME_STREET &&
  RANK[house.accuracyType] <= RANK.point &&
  reading.number?.hyphen == null &&
  (reading.city !== null || zip !== null);

/** The partitions of the states that an address may lie in; all where nothing tells. */
function ofStates(partitions: readonly AddressPartition[], { located, behindZip }: ParsedAddress) {
  const all = [...located, ...behindZip];
  return partitions.filter(
    p => p.state === null || !all.length || all.some(l => l.state === null || l.state === p.state),
  );
}

async function* indexes(layers: Layers, partitions: readonly AddressPartition[], check: () => void) {
  for (const part of partitions) {
    check();
    yield [await addressIndex(layers, part, check), part.state] as const;
  }
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
  const parsed = parseAddress(address);
  // A state alone is too coarse whatever the release holds.
  if (!partitions.length)
    return isState(parsed) ? { ...nothing, area: 'state' as const } : { ...nothing, uncovered: true };
  if (unsupportedForm(address) !== null) return nothing;
  const relation = relationIn(parsed.text);
  if (relation !== null) return { ...nothing, surroundings: { ...NOTHING, relation } };
  const { located, behindZip } = parsed;
  if (parsed.abroad || (!located.length && !behindZip.length && parsed.zip === null)) return nothing;
  const localities = new Localities(layers);

  let found: Localised[] = [];
  for (const mistyped of [false, true]) {
    if (mistyped && found.some(f => 1 - f.cost >= SURE || f.hit.streetCost <= SAME_STREET)) break;
    for (const located of parsed.located) {
      // The likeliest state comes first; others are of words that could be part of the street.
      if (found.some(f => 1 - f.cost >= SURE)) break;
      const search = { layers, localities, partitions, parsed, located, mistyped, check };
      found = [...found, ...(await ofStreetType(search, await localisedHits(search)))];
    }
  }
  // Where the city has the street that was said, no street of a like name answers for it: W BROADWAY is not BROADWAY.
  const there = found.some(f => f.hit.said && f.cost - f.hit.cost <= COST.cityAndStateMissing);
  const ofStreet = there ? found.filter(f => f.hit.said) : found;
  // HAMMOND ST, BROADWAY, of streets that do not meet, is not the middle of one of them; DOVER-FOXCROFT RD may be a street.
  const apart = found.some(({ hit }) => hit.cross !== null && hit.house.accuracyType === 'street_center');
  const isWhole = ({ cross, reading, cost }: Hit) => cross !== null || reading.number || cost <= SAME_STREET;
  const meant = apart ? ofStreet.filter(({ hit }) => isWhole(hit)) : ofStreet;
  const matches = withoutShorterParts(withoutDoubtful(meant)).map(localised => toFound(localised, parsed));
  await withOwnLots(matches, layers);
  // 12345 BROADWAY is an address where there is such a house.
  const isHouse = matches.some(({ match }) => match.similarity >= ANSWERED);
  const areas = isHouse ? parsed : { ...parsed, located: [...located, ...behindZip] };
  for (const match of await coarseMatches(areas, localities))
    matches.push({ match, hit: null, line: match.normalizedAddress, words: 1, anywhere: false, cityBy: 'place' });
  const area = await areaNamed(parsed, () => indexes(layers, ofStates(partitions, parsed), check));
  const best = comparable(matches.sort((a, b) => better(a.match, b.match)));
  const kept = best.map(({ match }) => match);
  const city = cityOf(parsed, best[0]?.hit);
  const answered = area !== null || kept.some(match => match.similarity >= ANSWERED);
  const around = async () => {
    const ofState = ofStates(partitions, parsed);
    const readings = parsed.located.flatMap(one => one.readings);
    const around = ofState.length > 0 ? ofState : partitions;
    return surroundingsOf(found, readings, cityOf(parsed, undefined), around, part =>
      addressIndex(layers, part, check),
    );
  };
  const surroundings = answered ? null : await around();
  return {
    matches: kept,
    city,
    ...(area && { area }),
    ...(surroundings && { surroundings }),
    uncovered: false,
  };
}
