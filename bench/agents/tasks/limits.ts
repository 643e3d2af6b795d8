import { SPOT } from '../ground.ts';
import type { AgentTask, Answer } from '../task.ts';

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
