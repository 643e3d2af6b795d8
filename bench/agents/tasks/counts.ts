import { acres, type GroundParcel, mean, SPOT, touches } from '../ground.ts';
import { type AgentTask, named } from '../task.ts';

const MAINE = { field: 'state', op: 'eq', value: 'ME' };
const HAMPSHIRE = { field: 'state', op: 'eq', value: 'NH' };

/** Acres of parcels by a column; ground that several share counts once in a group. */
function acresBy(parcels: readonly GroundParcel[], column: string): Map<string, number> {
  const sums = new Map<string, number>();
  const seen = new Set<string>();
  for (const { roll, geometry } of parcels) {
    const key = String(roll[column]);
    const outline = `${key} ${JSON.stringify(geometry)}`;
    if (seen.has(outline)) continue;
    seen.add(outline);
    sums.set(key, (sums.get(key) ?? 0) + acres(geometry));
  }
  return sums;
}

/** How many, how much, on average: all parcels that pass filters. */
export const COUNTS: readonly AgentTask[] = [
  {
    name: 'large parcels of a state',
    text: 'How many parcels of more than 2 acres are there in Maine (ME)?',
    async play(call) {
      const filters = [MAINE, { field: 'acreage', op: 'gt', value: 2 }];
      return (await call('sets', { operation: 'count', filters })).count;
    },
    truth: ground => ground.passing('ME', ({ geometry }) => acres(geometry) > 2).length,
  },
  {
    name: 'outside the flood zone',
    text: 'An insurer asks: how many parcels of more than 2 acres in Maine (ME) have flood zone X at their point?',
    async play(call) {
      const zone = named(await call('catalog', { query: 'flood zone', surface: 'filter' }), /^fema_flood_zone$/);
      const filters = [MAINE, { field: 'acreage', op: 'gt', value: 2 }, { field: zone, op: 'eq', value: 'X' }];
      return (await call('sets', { operation: 'count', filters })).count;
    },
    truth: ground =>
      ground.passing('ME', one => acres(one.geometry) > 2 && ground.value('fema_flood_zone', one) === 'X').length,
  },
  {
    name: 'acres of two towns',
    text: 'How many acres do the parcels of each city have together in Maine (ME) and New Hampshire (NH)?',
    async play(call) {
      const answer = await call('sets', {
        operation: 'aggregate',
        filters: [{ field: 'state', op: 'in', value: ['ME', 'NH'] }],
        group_by: ['city'],
        measures: [{ op: 'sum', field: 'acreage' }],
      });
      return answer.groups.map((group: { key: string[]; measures: { value: number }[] }) => [
        group.key[0],
        group.measures[0]!.value,
      ]);
    },
    truth: ground => [...acresBy(ground.parcels, 'city')].sort(([a], [b]) => a.localeCompare(b)),
  },
  {
    name: 'the land use with the most ground',
    text: 'Which land use has the most acres in New Hampshire (NH)?',
    async play(call) {
      const use = named(await call('catalog', { query: 'land use', surface: 'filter' }), /^usedesc$/);
      const measures = [{ op: 'sum', field: 'acreage' }];
      const answer = await call('sets', { operation: 'aggregate', filters: [HAMPSHIRE], group_by: [use], measures });
      const sums = answer.groups.map((group: { key: string[]; measures: { value: number }[] }) => [
        group.key[0],
        group.measures[0]!.value,
      ]);
      return sums.sort((a: [string, number], b: [string, number]) => b[1] - a[1])[0][0];
    },
    truth: ground =>
      [
        ...acresBy(
          ground.passing('NH', () => true),
          'usedesc',
        ),
      ].sort(([, a], [, b]) => b - a)[0]![0],
  },
  {
    name: 'the mean of assessed values',
    text: 'What is the mean assessed value of parcels with the land use "Single Family" in Maine (ME)?',
    async play(call) {
      const found = await call('catalog', { query: 'assessed value, land use', surface: 'filter' });
      const [value, use] = [named(found, /^parval$|assessed_value/), named(found, /^usedesc$/)];
      const filters = [MAINE, { field: use, op: 'eq', value: 'Single Family' }];
      const measures = [{ op: 'mean', field: value }];
      const { groups } = await call('sets', { operation: 'aggregate', filters, measures });
      return groups[0].measures[0].value;
    },
    truth: ground =>
      mean(ground.passing('ME', ({ roll }) => roll.usedesc === 'Single Family').map(({ roll }) => Number(roll.parval))),
  },
  {
    name: 'sold since a day',
    text: 'How many parcels in Maine (ME) have a last recorded sale on or after 2020-01-01?',
    async play(call) {
      const sale = named(await call('catalog', { query: 'last recorded sale', surface: 'filter' }), /sale_?date$/);
      const filters = [MAINE, { field: sale, op: 'gte', value: '2020-01-01' }];
      return (await call('sets', { operation: 'count', filters })).count;
    },
    truth: ground => ground.passing('ME', ({ roll }) => String(roll.saledate ?? '') >= '2020-01-01').length,
  },
  {
    name: 'about a place',
    text: `How many parcels in Maine (ME) have ground within 500 m of lat ${SPOT.lat}, lng ${SPOT.lng}?`,
    async play(call) {
      const filters = [MAINE, { near: { ...SPOT, within_m: 500 } }];
      return (await call('sets', { operation: 'count', filters })).count;
    },
    truth: ground => ground.passing('ME', ({ geometry }) => touches(geometry, SPOT, 500)).length,
  },
  {
    name: 'a share of a zone',
    text: 'How many of the parcels of New Hampshire (NH) are zoned RR, and how many parcels are there in all?',
    async play(call) {
      const zone = named(await call('catalog', { query: 'zoned', surface: 'filter' }), /^zoning$/);
      const filters = [HAMPSHIRE, { field: zone, op: 'eq', value: 'RR' }];
      const answer = await call('sets', { operation: 'count', filters });
      return [answer.count, answer.per_filter[1].without];
    },
    truth: ground => [
      ground.passing('NH', ({ roll }) => roll.zoning === 'RR').length,
      ground.passing('NH', () => true).length,
    ],
  },
  {
    name: 'what a town owns',
    text: 'How many acres does the owner TOWN OF SYNTHETIC HARBOR have in Maine (ME)?',
    async play(call) {
      const owner = named(await call('catalog', { query: 'owner', surface: 'filter' }), /owner$/);
      const filters = [MAINE, { field: owner, op: 'eq', value: 'TOWN OF SYNTHETIC HARBOR' }];
      const measures = [{ op: 'sum', field: 'acreage' }];
      return (await call('sets', { operation: 'aggregate', filters, measures })).groups[0].measures[0].value;
    },
    truth: ground =>
      acresBy(
        ground.passing('ME', () => true),
        'owner',
      ).get('TOWN OF SYNTHETIC HARBOR'),
  },
];
