import { acres, type GroundParcel, SPOT, touches } from '../ground.ts';
import { type AgentTask, type Answer, named } from '../task.ts';

const MAINE = { field: 'state', op: 'eq', value: 'ME' };
const numbers = (matches: readonly Answer[]): string[] => matches.map(({ apn }) => apn);
const of = (parcels: readonly GroundParcel[]) => parcels.map(({ roll }) => roll.apn);
const ascending = (column: string) => (a: GroundParcel, b: GroundParcel) =>
  Number(a.roll[column]) - Number(b.roll[column]);

/** Which parcels: pages, ranks and areas. */
export const FINDS: readonly AgentTask[] = [
  {
    name: 'cheapest outside the flood zone about an address',
    text: 'A developer asks: parcels of more than 0.5 acres within 1,609 m (a mile) of 301 Main St, Synthetic Harbor, ME (Maine), with flood zone X and a substation within 2,000 m, the 5 with the lowest assessed value, cheapest first.',
    async play(call) {
      const query = 'flood zone; substation; assessed value';
      const found = await call('catalog', { query, surface: 'filter' });
      const zone = named(found, /^fema_flood_zone$/);
      const far = named(found, /^nearest_substation_distance_m$/);
      const value = named(found, /^parval$|assessed_value/);
      const filters = [
        MAINE,
        { near: { address: '301 Main St, Synthetic Harbor, ME', within_m: 1609 } },
        { field: 'acreage', op: 'gt', value: 0.5 },
        { field: zone, op: 'eq', value: 'X' },
        { field: far, op: 'lte', value: 2000 },
      ];
      const order_by = [{ field: value, direction: 'asc' }];
      return numbers((await call('sets', { operation: 'rank', filters, order_by, limit: 5 })).matches);
    },
    truth(ground) {
      const from = ground.at('301 MAIN ST');
      return of(
        ground
          .passing(
            'ME',
            one =>
              acres(one.geometry) > 0.5 &&
              touches(one.geometry, from, 1609) &&
              ground.value('fema_flood_zone', one) === 'X' &&
              Number(ground.value('nearest_substation_distance_m', one)) <= 2000,
          )
          .toSorted(ascending('parval'))
          .slice(0, 5),
      );
    },
  },
  {
    name: 'asked of the wrong tool',
    text: `A buyer asks: the 3 largest parcels in Maine (ME) near lat ${SPOT.lat}, lng ${SPOT.lng}, with radius_m 600 and sort "acreage desc".`,
    async play(call) {
      // What models do: a search knows neither a radius nor an order, and says who does.
      const req = { filters: [MAINE], near: SPOT, radius_m: 600, sort: 'acreage desc', limit: 3 };
      const { detail } = await call('search', req);
      const { tool, arguments: given } = detail.next;
      return numbers((await call(tool.replace('service_', ''), given.req)).matches);
    },
    truth: ground =>
      of(
        ground
          .passing('ME', ({ geometry }) => touches(geometry, SPOT, 600))
          .toSorted((a, b) => acres(b.geometry) - acres(a.geometry))
          .slice(0, 3),
      ),
  },
  {
    name: 'the largest parcel',
    text: 'Which parcel of New Hampshire (NH) is the largest by acreage?',
    async play(call) {
      const filters = [{ field: 'state', op: 'eq', value: 'NH' }];
      const order_by = [{ field: 'acreage', direction: 'desc' }];
      return numbers((await call('sets', { operation: 'rank', filters, order_by, limit: 1 })).matches);
    },
    truth: ground =>
      of(
        ground
          .passing('NH', () => true)
          .toSorted((a, b) => acres(b.geometry) - acres(a.geometry))
          .slice(0, 1),
      ),
  },
  {
    name: 'the most valuable shops',
    text: 'Which 3 parcels with the land use "Commercial" in Maine (ME) have the highest assessed value?',
    async play(call) {
      const found = await call('catalog', { query: 'assessed value, land use', surface: 'filter' });
      const [value, use] = [named(found, /^parval$|assessed_value/), named(found, /^usedesc$/)];
      const filters = [MAINE, { field: use, op: 'eq', value: 'Commercial' }];
      const order_by = [{ field: value, direction: 'desc' }];
      return numbers((await call('sets', { operation: 'rank', filters, order_by, limit: 3 })).matches);
    },
    truth: ground =>
      of(
        ground
          .passing('ME', ({ roll }) => roll.usedesc === 'Commercial')
          .toSorted(ascending('parval'))
          .slice(-3)
          .reverse(),
      ),
  },
  {
    name: 'all exempt parcels',
    text: 'List the parcel numbers of all parcels with the land use "Exempt" in Maine (ME).',
    async play(call) {
      const use = named(await call('catalog', { query: 'land use', surface: 'filter' }), /^usedesc$/);
      const filters = [MAINE, { field: use, op: 'eq', value: 'Exempt' }];
      const page = await call('search', { filters });
      return page.status === 'complete' ? numbers(page.matches).sort() : 'there are more';
    },
    truth: ground => of(ground.passing('ME', ({ roll }) => roll.usedesc === 'Exempt')).sort(),
  },
  {
    name: 'large and high',
    text: 'A wind developer asks: parcels of more than 100 acres in Maine (ME) whose elevation is more than 60 m, the highest 4 first.',
    async play(call) {
      const high = named(await call('catalog', { query: 'elevation', surface: 'filter' }), /^elevation$/);
      const filters = [MAINE, { field: 'acreage', op: 'gt', value: 100 }, { field: high, op: 'gt', value: 60 }];
      const order_by = [{ field: high, direction: 'desc' }];
      return numbers((await call('sets', { operation: 'rank', filters, order_by, limit: 4 })).matches);
    },
    truth(ground) {
      const high = (one: GroundParcel) => Number(ground.value('elevation', one));
      const large = ground.passing('ME', one => acres(one.geometry) > 100 && high(one) > 60);
      return of(large.toSorted((a, b) => high(b) - high(a)).slice(0, 4));
    },
  },
  {
    name: 'why there is none',
    text: 'Why is there no parcel of more than 100,000 acres in Maine (ME), and how large is the acreage of which there are some? Explain.',
    async play(call) {
      const filters = [MAINE, { field: 'acreage', op: 'gt', value: 100000 }];
      const answer = await call('sets', { operation: 'explain', filters });
      const [relaxed] = answer.relax;
      return [answer.count, relaxed.matches];
    },
    truth(ground) {
      const large = ground.passing('ME', ({ geometry }) => acres(geometry) > 100_000).length;
      // The filter is relaxed to where ten parcels pass, or all that there are.
      return [large, Math.min(10, ground.passing('ME', () => true).length)];
    },
  },
  {
    name: 'the ground of a circle',
    text: `How many acres of ground lie within 1,000 m of lat ${SPOT.lat}, lng ${SPOT.lng}?`,
    play: async call => (await call('sets', { operation: 'areas', ...SPOT, within_m: 1000 })).acres,
    truth: () => (Math.PI * 1000 ** 2) / 4046.8564224,
  },
  {
    name: 'what else an owner has',
    text: 'Who is the owner of 301 Main St, Synthetic Harbor, ME (Maine), and how many parcels there have that owner?',
    async play(call) {
      const found = await call('catalog', { query: 'owner', surface: 'filter' });
      const owner = named(found, /^owner$/);
      const record = await call('enrich', { address: '301 Main St, Synthetic Harbor, ME', fields: [owner] });
      const { value } = record.fields[owner];
      const filters = [MAINE, { field: owner, op: 'eq', value }];
      return [value, (await call('sets', { operation: 'count', filters })).count];
    },
    truth(ground) {
      const { owner } = ground.at('301 MAIN ST').roll;
      return [owner, ground.passing('ME', ({ roll }) => roll.owner === owner).length];
    },
  },
];
