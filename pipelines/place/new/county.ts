import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyFips, countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import { UsageError } from '../../../query/engine/command.ts';
import type { CountyOfPlace } from './source-layer.ts';

const EXPECTED = 'expected the five digits of a county (23019), its name and state ("Penobscot, ME"), or "lat, lng"';

function byCode(county: string): CountyOfPlace | null {
  const state = Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!));
  if (state === undefined || !countyBox(county)) return null;
  return { state, county, name: countyName(state, county.slice(2)) };
}

const shown = ({ county, name, state }: CountyOfPlace) => `${county} (${name ?? 'no name'}, ${state})`;

/** Counties whose box holds a point: boxes of neighbours overlap. */
function byPoint(lat: number, lng: number): readonly CountyOfPlace[] {
  return countiesOf().flatMap(county => {
    const [west, south, east, north] = countyBox(county)!;
    return lng >= west && lng <= east && lat >= south && lat <= north ? (byCode(county) ?? []) : [];
  });
}

/**
 * Finds the county that somebody means.
 * @param text five digits, name and state, or a latitude and a longitude in degrees.
 * @throws UsageError when it means none, or several; it names those.
 */
export function countyOf(text: string): CountyOfPlace {
  const wrong = (what: string) => new UsageError(`"${text}" ${what}; ${EXPECTED}`);
  const plain = text.trim();
  if (/^\d{5}$/.test(plain)) {
    const county = byCode(plain);
    if (!county) throw wrong('is the code of no county');
    return county;
  }
  const point = /^([-+]?\d+(?:\.\d+)?)\s*,\s*([-+]?\d+(?:\.\d+)?)$/.exec(plain);
  if (point) {
    // A longitude of the United States is no latitude, so the order is certain.
    const [a, b] = [Number(point[1]), Number(point[2])];
    const around = a < 0 ? byPoint(b, a) : byPoint(a, b);
    if (around.length === 1) return around[0]!;
    if (around.length === 0) throw wrong('lies in no county');
    throw wrong(`may lie in one of ${around.map(shown).join(', ')}: give one of them`);
  }
  const [, name, of] = /^(.+?),\s*([A-Za-z. ]+)$/.exec(plain) ?? [];
  const state = Object.keys(STATE_NAMES).find(
    code => code === of?.toUpperCase() || STATE_NAMES[code]!.toLowerCase() === of?.trim().toLowerCase(),
  );
  if (name === undefined || state === undefined) throw wrong('names no county with its state');
  const county = countyFips(state, STATE_FIPS[state]!, name);
  if (county === null) throw wrong(`names no county of ${STATE_NAMES[state]}, or more than one`);
  return { state, county, name: countyName(state, county.slice(2)) };
}
