import { afterAll, beforeAll, describe } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { placeOf } from '../flow.ts';
import { sights } from './sights.ts';
import { type TaskPlace, tenTasks } from './ten-tasks.ts';

interface Named {
  readonly fields: Readonly<Record<string, { readonly value: unknown }>>;
  readonly parcel_match: { readonly parcel: { readonly apn: string; readonly address: string } };
}

interface Place {
  readonly lat: number;
  readonly lng: number;
}

const plain = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('the first look at the synthetic town', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  let place: TaskPlace;
  beforeAll(async () => {
    explorer = await openExplorer({ PLAT_GUESTS: 'on' });
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' };
      const answer = await fetch(explorer.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as unknown;
    };
    const filters = [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'acreage', op: 'between', value: [0.2, 3] },
      { field: 'fema_flood_zone', op: 'eq', value: 'X' },
      // Nearer ones are too close to call.
      { field: 'nearest_sfha_distance_m', op: 'gte', value: 100 },
    ];
    const { matches } = (await post('/v1/search', { filters, limit: 1 })) as { matches: { analysis_point: Place }[] };
    const { lat, lng } = matches[0]!.analysis_point;
    const { fields, parcel_match: match } = (await post('/v1/enrich', { lat, lng, fields: ['owner'] })) as Named;
    const { apn, address } = match.parcel;
    place = {
      name: 'synthetic',
      // Streets of several towns have the same number: the coordinate is what its link has.
      house: {
        typed: `${lat}, ${lng}`,
        address: new RegExp(`^${plain(address)}`),
        floods: /outside the special flood hazard areas/,
      },
      apn,
      dryZone: 'X',
      owner: String(fields.owner!.value),
      worth: /^\$[\d,]+ \(\$[\d,]+ an acre\)$/,
      steep: /% of the county/,
      holds: 'Synthetic',
    };
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  tenTasks(
    () => explorer,
    () => place,
  );
  sights(
    () => explorer,
    'synthetic',
    () => placeOf(explorer),
  );
});
