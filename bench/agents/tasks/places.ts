import { driveOf } from '../drive.ts';
import { metres, SPOT } from '../ground.ts';
import { type AgentTask, type Answer, named } from '../task.ts';

const HARBOR = 'Synthetic Harbor, ME';
/** Across the town from the spot. */
const MILL = { lat: 43.1178979, lng: -70.6941127 };

/** Values at places, comparisons, and what is near. */
export const PLACES: readonly AgentTask[] = [
  {
    name: 'how high a place is',
    text: `What is the elevation of the ground in metres at lat ${SPOT.lat}, lng ${SPOT.lng}?`,
    async play(call) {
      const name = named(await call('catalog', { query: 'elevation', surface: 'fetch' }), /^elevation$/);
      return (await call('fetch', { ...SPOT, fields: [name] })).fields[name].value;
    },
    truth: ground => ground.value('elevation', SPOT),
  },
  {
    name: 'the flood risk of a home',
    text: `An insurer asks: which flood zone is at lat ${SPOT.lat}, lng ${SPOT.lng}, and does the place lie in a floodplain?`,
    async play(call) {
      const found = await call('catalog', { query: 'flood zone, floodplain', surface: 'fetch' });
      const [zone, within] = [named(found, /^fema_flood_zone$/), named(found, /^within_floodplain_polygon$/)];
      const { fields } = await call('fetch', { ...SPOT, fields: [zone, within] });
      return [fields[zone].value, fields[within].value];
    },
    truth: ground => [ground.value('fema_flood_zone', SPOT), ground.value('within_floodplain_polygon', SPOT)],
  },
  {
    name: 'the county of a place',
    text: `In which county (FIPS code) and tract does lat,lng ${SPOT.lat},${SPOT.lng} lie?`,
    async play(call) {
      const answer = await call('lookup', { input: `${SPOT.lat},${SPOT.lng}` });
      return [answer.county_fips, answer.tract_geoid];
    },
    truth: ground => [ground.value('county_fips', SPOT), ground.value('tract_geoid', SPOT)],
  },
  {
    name: 'the dearer of two homes',
    text: `A home buyer asks: which has the higher assessed value, 310 Harbor St, ${HARBOR}, or 314 Main St, ${HARBOR}?`,
    async play(call) {
      const found = await call('catalog', { query: 'assessed value', surface: 'enrich' });
      const value = named(found, /^parval$/);
      const addresses = [`310 Harbor St, ${HARBOR}`, `314 Main St, ${HARBOR}`];
      const locations = addresses.map(address => ({ address }));
      const { results } = await call('enrich', { locations, fields: [value] });
      const values = results.map((result: Answer) => result.fields[value].value);
      return [values[0] > values[1] ? '310 Harbor St' : '314 Main St', ...values];
    },
    truth(ground) {
      const values = ['310 HARBOR ST', '314 MAIN ST'].map(address => Number(ground.at(address).roll.parval));
      return [values[0]! > values[1]! ? '310 Harbor St' : '314 Main St', ...values];
    },
  },
  {
    name: 'the highest of six lots',
    text: 'Of the 6 lots of Maine (ME) that are the largest by acreage, whose elevation at its point is the highest?',
    async play(call) {
      const name = named(await call('catalog', { query: 'elevation', surface: 'fetch' }), /^elevation$/);
      const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
      const order_by = [{ field: 'acreage', direction: 'desc' }];
      const { matches } = await call('sets', { operation: 'rank', filters, order_by, limit: 6, fields: [name] });
      return matches.toSorted((a: Answer, b: Answer) => b.fields[name] - a.fields[name])[0].apn;
    },
    truth(ground) {
      const high = (one: { lng: number; lat: number }) => Number(ground.value('elevation', one));
      const six = ground.passing('ME', () => true).toSorted((a, b) => ground.acres(b) - ground.acres(a));
      return six.slice(0, 6).toSorted((a, b) => high(b) - high(a))[0]!.roll.apn;
    },
  },
  {
    name: 'the nearest hospital of three places',
    text: `How far is the nearest hospital from each of lat ${SPOT.lat}, lng ${SPOT.lng}; lat 43.1402, lng -70.7011; and lat 43.1171, lng -70.795?`,
    async play(call) {
      const found = await call('catalog', { query: 'nearest hospital', surface: 'fetch' });
      const name = named(found, /^nearest_hospital_distance_m$/);
      const locations = [SPOT, { lat: 43.1402, lng: -70.7011 }, { lat: 43.1171, lng: -70.795 }];
      const { results } = await call('fetch_batch', { locations, fields: [name] });
      return results.map((result: Answer) => result.fields[name].value);
    },
    truth: ground =>
      [SPOT, { lat: 43.1402, lng: -70.7011 }, { lat: 43.1171, lng: -70.795 }].map(place =>
        ground.value('nearest_hospital_distance_m', place),
      ),
  },
  {
    name: 'the nearest airport',
    text: `Which public airport is the nearest in a straight line to lat ${SPOT.lat}, lng ${SPOT.lng}, and how many metres is it away?`,
    async play(call) {
      const req = { operation: 'nearest', origin: SPOT, candidates: '@airports', by: 'straight_line', k: 1 };
      const [first] = (await call('proximity', req)).results;
      return [first.name, first.straight_line_m];
    },
    truth(ground) {
      const airports = ground.world.sites
        .airports()
        .filter(({ properties: p }) => p.SITE_TYPE_CODE === 'A' && p.FACILITY_USE_CODE === 'PU')
        .map(({ properties, geometry }) => {
          const [lng, lat] = geometry.coordinates as [number, number];
          return [properties.ARPT_NAME, metres({ lng, lat }, SPOT)] as const;
        });
      return airports.toSorted(([, a], [, b]) => a - b)[0];
    },
  },
  {
    name: 'a drive',
    text: `How many seconds and metres is the drive from lat ${SPOT.lat}, lng ${SPOT.lng} to lat ${MILL.lat}, lng ${MILL.lng}?`,
    async play(call) {
      const answer = await call('proximity', { operation: 'matrix', origins: [SPOT], destinations: [MILL] });
      return [60 * answer.minutes[0][0], answer.meters[0][0]];
    },
    truth(ground) {
      const { seconds, metres: driven } = driveOf(ground.world, SPOT, MILL);
      return [seconds, driven];
    },
  },
  {
    name: 'a site',
    text: `Register the site {"type": "Polygon", "coordinates": ${JSON.stringify(SITE().coordinates)}} to be screened: how many acres has it?`,
    async play(call) {
      const { site_id } = await call('sites', { site: SITE() });
      return (await call('sites', { site_id })).site_acres;
    },
    truth: ground => ground.acresOf(SITE()),
  },
];

/** A polygon beside the spot, 0.004 by 0.003 degrees. */
function SITE() {
  const [west, south] = [-70.7, 43.112];
  const [east, north] = [-70.696, 43.115];
  return {
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}
