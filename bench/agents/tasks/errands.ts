import { acres, type GroundParcel, SPOT } from '../ground.ts';
import { type AgentTask, type Answer, type CallTool, named } from '../task.ts';

const MAINE = { field: 'state', op: 'eq', value: 'ME' };
const TOWN = 'Synthetic Harbor, ME';
const MILE_M = 1_609.344;
/** More addresses than one call of enrichment takes. */
const STREETS = [
  ...['310 Harbor St', '314 Main St', '304 Main St', '301 Main St', '303 Main St', '418 Mill St', '618 Main St'],
  ...['622 Main St', '614 Mill St', '610 Mill St', '617 School St', '622 Harbor St'],
];
const SQUARE = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [-70.7, 43.112],
      [-70.698, 43.112],
      [-70.698, 43.114],
      [-70.7, 43.114],
      [-70.7, 43.112],
    ],
  ],
};

/** Makes the call that a refusal leads to. */
async function goOn(call: CallTool, { detail, next = detail?.next }: Answer): Promise<Answer> {
  if (!next) throw new Error(`nothing leads on from ${JSON.stringify(detail)}`);
  return call(next.tool.replace('service_', ''), next.arguments.req);
}

const bySize = (a: GroundParcel, b: GroundParcel) => acres(b.geometry) - acres(a.geometry);

/** Tasks as people word them: addresses as typed, keys of other services, and what one call cannot do. */
export const ERRANDS: readonly AgentTask[] = [
  {
    name: 'an address as somebody types it',
    text: 'hey whats the elevation (in metres) of "the house at 301 main street synthetic harbour maine" thx',
    async play(call) {
      const { lat, lng } = await call('lookup', { input: 'the house at 301 main street synthetic harbour maine' });
      const name = named(await call('catalog', { query: 'elevation', surface: 'fetch' }), /^elevation$/);
      return (await call('fetch', { lat, lng, fields: [name] })).fields[name].value;
    },
    truth: ground => ground.value('elevation', ground.at('301 MAIN ST')),
  },
  {
    name: 'a street that is misspelt',
    text: `What is the parcel number (apn) of 301 Mane St, ${TOWN}? There may be a slip in the street.`,
    async play(call) {
      const { preview } = await goOn(call, await call('lookup', { input: `301 Mane St, ${TOWN}` }));
      return preview.find(({ address }: Answer) => /^301 MA\w+ ST$/.test(address)).apn;
    },
    truth: ground => ground.at('301 MAIN ST').roll.apn,
  },
  {
    name: 'keys of another service',
    text: `Fetch the field "elevation" at latitude ${SPOT.lat}, longitude ${SPOT.lng}.`,
    async play(call) {
      const given = { latitude: SPOT.lat, longitude: SPOT.lng, field: 'elevation' };
      return (await goOn(call, await call('fetch', given))).fields.elevation.value;
    },
    truth: ground => ground.value('elevation', SPOT),
  },
  {
    name: 'an order in words of SQL',
    text: 'Rank the parcels of Maine (ME), order_by "acreage desc", limit 3: which numbers do they have?',
    async play(call) {
      const req = { operation: 'rank', filters: [MAINE], order_by: 'acreage desc', limit: 3 };
      return (await goOn(call, await call('sets', req))).matches.map(({ apn }: Answer) => apn);
    },
    truth: ground => {
      const largest = ground.passing('ME', () => true).toSorted(bySize);
      return largest.slice(0, 3).map(({ roll }) => roll.apn);
    },
  },
  {
    name: 'groups in words of SQL',
    text: 'Aggregate the parcels of Maine (ME), group_by "city", measures "count": how many has each?',
    async play(call) {
      const req = { operation: 'aggregate', filters: [MAINE], group_by: 'city', measures: 'count' };
      const { groups } = await goOn(call, await call('sets', req));
      return groups.map(({ key, count }: Answer) => [key[0], count]).sort();
    },
    truth(ground) {
      const cities = Map.groupBy(
        ground.passing('ME', () => true),
        ({ roll }) => String(roll.city),
      );
      return [...cities].map(([city, all]) => [city, all.length]).sort();
    },
  },
  {
    name: 'miles',
    text: `How many acres of ground lie within_miles 1 of 301 Main St, ${TOWN}?`,
    async play(call) {
      const req = { operation: 'areas', address: `301 Main St, ${TOWN}`, within_miles: 1 };
      return (await goOn(call, await call('sets', req))).acres;
    },
    truth: () => (Math.PI * MILE_M ** 2) / 4046.8564224,
  },
  {
    name: 'a polygon under another key',
    text: `Register this polygon as a site and tell its acres: {"polygon": ${JSON.stringify(SQUARE)}}`,
    async play(call) {
      const begun = await goOn(call, await call('sites', { polygon: SQUARE }));
      return (await goOn(call, begun)).site_acres;
    },
    truth: ground => ground.acresOf(SQUARE),
  },
  {
    name: 'more addresses than a call takes',
    text: `What do these have together as assessed value? ${STREETS.map(street => `${street}, ${TOWN}`).join('; ')}`,
    async play(call) {
      const value = named(await call('catalog', { query: 'assessed value', surface: 'enrich' }), /^parval$/);
      const locations = STREETS.map(street => ({ address: `${street}, ${TOWN}` }));
      const first = await goOn(call, await call('enrich', { locations, fields: [value] }));
      const rest = await call('enrich', { locations: locations.slice(first.results.length), fields: [value] });
      const all = [...first.results, ...rest.results];
      return all.reduce((sum: number, { fields }: Answer) => sum + fields[value].value, 0);
    },
    truth: ground => STREETS.reduce((sum, street) => sum + Number(ground.at(street.toUpperCase()).roll.parval), 0),
  },
  {
    name: 'page by page',
    text: 'List the numbers of all parcels with the land use "Exempt" in Maine (ME), 2 on a page.',
    async play(call) {
      const use = named(await call('catalog', { query: 'land use', surface: 'filter' }), /^usedesc$/);
      const filters = [MAINE, { field: use, op: 'eq', value: 'Exempt' }];
      const numbers: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await call('search', { filters, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
        numbers.push(...page.matches.map(({ apn }: Answer) => apn));
        if (page.next_cursor === null) return numbers.sort();
        cursor = page.next_cursor;
      }
    },
    truth: ground =>
      ground
        .passing('ME', ({ roll }) => roll.usedesc === 'Exempt')
        .map(({ roll }) => roll.apn)
        .sort(),
  },
  {
    name: 'a set that there is not',
    text: `How many metres is the nearest of the @hospitals from lat ${SPOT.lat}, lng ${SPOT.lng}, in a straight_line?`,
    async play(call) {
      const req = { operation: 'nearest', origin: SPOT, candidates: '@hospitals', by: 'straight_line' };
      const name = named(await goOn(call, await call('proximity', req)), /^nearest_hospital_distance_m$/);
      return (await call('fetch', { ...SPOT, fields: [name] })).fields[name].value;
    },
    truth: ground => ground.value('nearest_hospital_distance_m', SPOT),
  },
];
