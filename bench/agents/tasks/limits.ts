import { metres, SPOT } from '../ground.ts';
import { type AgentTask, type Answer, named } from '../task.ts';

const HARBOR = 'Synthetic Harbor, ME';

/** What cannot be answered, what it costs, and what leads on. */
export const LIMITS: readonly AgentTask[] = [
  {
    name: 'what the release lacks',
    text: `Who was the previous owner of 301 Main St, ${HARBOR}?`,
    async play(call) {
      const { fields } = await call('catalog', { query: 'previous owner' });
      const field = fields.find(({ name }: Answer) => name === 'previous_owner');
      return field.available ? 'ask' : 'not in this release';
    },
    truth: ground => (ground.parcels.every(({ roll }) => roll.previous_owner === null) ? 'not in this release' : 'ask'),
  },
  {
    name: 'a place that is not covered',
    text: 'What can be said of the parcels at lat 40.1, lng -80.2?',
    async play(call) {
      const { county, note } = await call('coverage', { lat: 40.1, lng: -80.2 });
      return county === null && note !== undefined ? 'not covered' : county;
    },
    truth: ground =>
      ground.parcels.some(({ lng, lat }) => Math.abs(lng + 80.2) < 1 && Math.abs(lat - 40.1) < 1)
        ? 'covered'
        : 'not covered',
  },
  {
    name: 'an address that is not there',
    text: `Where is 9 Main St, ${HARBOR}? If it is not known, which house numbers of the street are the nearest that are?`,
    async play(call) {
      const { detail } = await call('geocode', { address: `9 Main St, ${HARBOR}` });
      return [detail.error, ...(detail.message.match(/\b\d+\b/g) ?? []).map(Number)];
    },
    truth(ground) {
      const known = ground.parcels.flatMap(({ state, roll }) =>
        state === 'ME' && /^\d+ MAIN ST\b/.test(String(roll.address))
          ? [Number.parseInt(String(roll.address), 10)]
          : [],
      );
      const nearest = [...new Set(known)].sort((a, b) => Math.abs(a - 9) - Math.abs(b - 9)).slice(0, 3);
      return ['address_not_found', ...nearest.sort((a, b) => a - b)];
    },
  },
  {
    name: 'what nobody can tell',
    text: `A home buyer asks: what is the flood zone and the crime rate at lat ${SPOT.lat}, lng ${SPOT.lng}?`,
    async play(call) {
      const found = await call('catalog', { query: 'flood zone, crime rate', surface: 'fetch' });
      const zone = named(found, /^fema_flood_zone$/);
      return [(await call('fetch', { ...SPOT, fields: [zone] })).fields[zone].value, found.no_field_for];
    },
    truth: ground => [ground.value('fema_flood_zone', SPOT), ['crime rate']],
  },
  {
    name: 'a parcel by its number',
    text: 'Who is the owner of the parcel 003-003-004 of Maine (ME)?',
    async play(call) {
      const { next } = await call('lookup', { input: '003-003-004' });
      const found = await call('catalog', { query: 'owner', surface: 'filter' });
      const owner = named(found, /^owner$/);
      const { matches } = await call('search', { ...next.arguments.req, fields: [owner] });
      return matches.find(({ state }: Answer) => state === 'ME').fields[owner];
    },
    truth: ground => ground.passing('ME', ({ roll }) => roll.apn === '003-003-004')[0]!.roll.owner,
  },
  {
    name: 'the nearest house that is known',
    text: `How far is the nearest airport from 300 Main St, ${HARBOR}, in a straight line? If the address is not known, from the nearest house of the street that is.`,
    async play(call) {
      const req = { operation: 'nearest', candidates: '@airports', by: 'straight_line', k: 1 };
      const { detail } = await call('proximity', { ...req, origin: { address: `300 Main St, ${HARBOR}` } });
      const { lat, lng } = await call('geocode', detail.next.arguments.req);
      const [first] = (await call('proximity', { ...req, origin: { lat, lng } })).results;
      return [detail.nearest_addresses[0], first.straight_line_m];
    },
    truth(ground) {
      const airports = ground.world.sites
        .airports()
        .filter(({ properties: p }) => p.SITE_TYPE_CODE === 'A' && p.FACILITY_USE_CODE === 'PU')
        .map(({ geometry }) => {
          const [lng, lat] = geometry.coordinates as [number, number];
          return metres({ lng, lat }, ground.at('301 MAIN ST'));
        });
      return ['301 MAIN ST, SYNTHETIC HARBOR, ME', Math.min(...airports)];
    },
  },
  {
    name: 'a price',
    text: 'What do the fields elevation and slope_degrees cost at 20 locations?',
    play: async call => (await call('quote', { fields: ['elevation', 'slope_degrees'], locations: 20 })).credits_total,
    // A credit a field and place.
    truth: () => 2 * 20,
  },
  {
    name: 'a name that is wrong',
    text: `What is the elevatoin and the zoning at lat ${SPOT.lat}, lng ${SPOT.lng}?`,
    async play(call) {
      const { detail } = await call('fetch', { ...SPOT, fields: ['elevatoin', 'zoning'] });
      const [first, second] = detail.suggestions;
      const fields = [first.nearest[0], second.name];
      const tool = second.known_by[0].replace('service_', '');
      const record = await call(tool, { ...SPOT, fields });
      return record.fields[second.name].value;
    },
    truth: ground => ground.holding(SPOT).roll.zoning,
  },
  {
    name: 'swapped coordinates',
    text: `What is fema_flood_zone at lat ${SPOT.lng}, lng ${SPOT.lat}?`,
    async play(call) {
      const { detail } = await call('fetch', { lat: SPOT.lng, lng: SPOT.lat, fields: ['fema_flood_zone'] });
      const { tool, arguments: given } = detail.next;
      return (await call(tool.replace('service_', ''), given.req)).fields.fema_flood_zone.value;
    },
    truth: ground => ground.value('fema_flood_zone', SPOT),
  },
];
