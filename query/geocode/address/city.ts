import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { distance } from '../../geometry/geodesic.ts';
import { editDistance } from './edit-distance.ts';
import { editCost, editsFor } from './similarity.ts';

/** Words of city names in their long form (Publication 28); what says a kind of place behind its name says nothing. */
const FULL: Readonly<Record<string, string>> = {
  ST: 'SAINT',
  STE: 'SAINTE',
  MT: 'MOUNT',
  MTN: 'MOUNTAIN',
  FT: 'FORT',
  PT: 'POINT',
  N: 'NORTH',
  S: 'SOUTH',
  E: 'EAST',
  W: 'WEST',
  NO: 'NORTH',
  SO: 'SOUTH',
  SPGS: 'SPRINGS',
  SPG: 'SPRING',
  HTS: 'HEIGHTS',
  BCH: 'BEACH',
  HBR: 'HARBOR',
  LK: 'LAKE',
  JCT: 'JUNCTION',
  TWP: '',
  TOWNSHIP: '',
  TOWN: '',
  VILLAGE: '',
};

/**
 * A city's name as it is compared: ST JOHNSBURY and Saint Johnsbury are one, City of Bangor and Bangor Township are Bangor, Wash DC is
 * Washington, and blanks do not count.
 */
export const cityKey = (name: string): string =>
  (name === 'WASH' ? 'WASHINGTON' : name)
    .replace(PREFIX, '')
    .split(' ')
    .map((word, i, all) =>
      all.length === 1 || !Object.hasOwn(FULL, word) || (FULL[word] === '' && i === 0) ? word : FULL[word]!,
    )
    .join('');

const PREFIX =
  /^(?:STATE|COMMONWEALTH|TERRITORY|CITY|TOWN|TOWNSHIP|VILLAGE|BOROUGH|MUNICIPALITY|COUNTY|PARISH) OF (?:THE )?/;
const PART = /^(?:DOWNTOWN|MIDTOWN|UPTOWN|GREATER) /;
const KIND = / (?:STATE|COUNTY|PARISH|BOROUGH|MUNICIPIO|CO)$/;

/** An area's name without what kind or part it is: CITY OF BANGOR, MAINE STATE, PENOBSCOT COUNTY, DOWNTOWN BANGOR. */
export const withoutKind = (name: string): string => name.replace(PREFIX, '').replace(PART, '').replace(KIND, '');

/** The cities of the Postal Service in all states. */
interface PostalCities {
  /** Their names as cityKey has them. */
  readonly keys: ReadonlySet<string>;
  /** State and name of the city of each ZIP code: `ME BANGOR`. */
  readonly ofZip: ReadonlyMap<string, string>;
  /** lng,lat of the middle of each ZIP code, at twice its number. */
  readonly middles: Float32Array;
  /** All of these states and names. */
  readonly inState: ReadonlySet<string>;
}

/** A ZIP code of the package's table. */
const ROW = /"zip":"(\d{5})","latitude":([-\d.]+),"longitude":([-\d.]+),"city":"([^"]+)","state":"([A-Z]{2})"/g;

let cities: PostalCities | null = null;

/** Read once a name is another's but for a letter, or a ZIP code is not known to the layers. */
function postalCities(): PostalCities {
  if (!cities) {
    // As the package gives them they would keep 20 MB in every worker; names and ZIP codes alone take five.
    const table = readFileSync(createRequire(import.meta.url).resolve('zipcodes/lib/codes.js'), 'latin1');
    const named = new Map<string, string>();
    const ofZip = new Map<string, string>();
    const middles = new Float32Array(200_000);
    for (const [, zip, lat, lng, name, state] of table.matchAll(ROW)) {
      let key = named.get(name!);
      if (key === undefined) {
        key = cityKey(name!.toUpperCase().replace(/[^A-Z ]/g, ' '));
        named.set(name!, key);
      }
      middles[2 * Number(zip)] = Number(lng);
      middles[2 * Number(zip) + 1] = Number(lat);
      ofZip.set(zip!, `${state} ${key}`);
    }
    const inState = new Set(ofZip.values());
    cities = { keys: new Set(named.values()), ofZip, middles, inState };
  }
  return cities;
}

/** A place of no city is in no ZIP code whose middle is further away: metres. */
const ZIP_M = 100_000;

/**
 * Whether a ZIP code is another city's of the state than a place's, which has ZIP codes of its own; of a place in no city, whether it is
 * far away. A city without a post office may have any.
 */
export function isOtherZip(
  zip: string,
  { cities: names, state, lng, lat }: { cities: readonly string[]; state: string; lng: number; lat: number },
): boolean {
  const { ofZip, middles } = postalCities();
  const other = ofZip.get(zip);
  if (other === undefined || !other.startsWith(state)) return false;
  const [x, y] = [middles[2 * Number(zip)]!, middles[2 * Number(zip) + 1]!];
  if (names.length === 0) return distance(lng, lat, x, y) > ZIP_M;
  return names.every(name => {
    const key = postalKey(state, name);
    return key !== null && key !== other;
  });
}

/** State and name of a city as ZIP codes have it; null where the Postal Service has none of the name. */
function postalKey(state: string, name: string): string | null {
  const key = `${state} ${cityKey(name)}`;
  return postalCities().inState.has(key) ? key : null;
}

/** A name behind which the census says that it is a city, as its key without that: BANGOR CITY, which no post office is called. */
export function cityOfKind(name: string): string | null {
  const named = / CITY$/.test(name) ? cityKey(name.replace(/ CITY$/, '')) : null;
  return named === null || postalCities().keys.has(cityKey(name)) ? null : named;
}

/**
 * What the difference between two city names costs; a typing error costs half of what it does in a street. A name that is
 * another city's of the country is no slip: Salem is not Selma.
 * @returns null where they are different cities.
 */
export function cityCost(wanted: string, found: string): number | null {
  const [a, f] = [cityKey(wanted), cityKey(found)];
  if (a === f || cityOfKind(wanted) === f) return 0;
  const most = Math.min(2, editsFor(a.length));
  const edits = editDistance(a, f, most);
  return edits > most || postalCities().keys.has(a) ? null : editCost(edits, a.length) / 2;
}
