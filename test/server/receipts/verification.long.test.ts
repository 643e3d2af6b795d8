import { expect, it } from 'vitest';
import { PrivateServer } from '../../../server/verification/private-server.ts';
import { recompute } from '../../../server/verification/verification.ts';
import { FILTERS, receiptService } from './receipt-service.ts';

it('computes the answers of the service again from the release alone, and says where another one differs', async () => {
  await using service = await receiptService();
  const { ask, place, home } = service;
  const fields = ['elevation', 'fema_flood_zone', 'nearest_road_name', 'parcel_apn'];
  const questions: readonly [string, object][] = [
    ['/v1/fetch', { ...place, fields }],
    ['/v1/fetch/batch', { locations: [place], fields }],
    ['/v1/enrich', { ...place }],
    ['/v1/lookup', { input: `${place.lat},${place.lng}` }],
    ['/v1/search', { filters: FILTERS, fields: ['fema_flood_zone'], limit: 5 }],
    ['/v1/search/count', { filters: FILTERS }],
    ['/v1/rank', { filters: FILTERS, order_by: [{ field: 'acreage', direction: 'desc' }], limit: 5 }],
    ['/v1/aggregate', { filters: FILTERS, group_by: ['county'], measures: [{ op: 'sum', field: 'acreage' }] }],
    ['/v1/ask', { ...place, question: 'Is it in a flood zone?' }],
  ];
  const given: Awaited<ReturnType<typeof ask>>[] = [];
  for (const [path, body] of questions) given.push(await ask(path, body));
  await using server = await PrivateServer.start(home, given[0]!.receipt.release.id);
  for (const [i, [path, body]] of questions.entries()) {
    const { receipt, answer } = given[i]!;
    expect(receipt.release.layers.length, path).toBeGreaterThan(0);
    const { check, differences } = await recompute(server, receipt, receipt.request.body, answer);
    expect([path, check.right, differences]).toEqual([path, true, []]);
    expect(receipt.request.body).toEqual(body);
  }
  // The receipt of another place: its answer is not what the release says here.
  const [{ receipt, answer }] = given as [(typeof given)[0]];
  const wrong = { ...(receipt.request.body as object), lat: place.lat + 0.01 };
  const { check, differences } = await recompute(server, receipt, wrong, answer);
  expect(check.right).toBe(false);
  expect(differences).toContainEqual({ path: 'lat', was: place.lat, is: place.lat + 0.01 });
}, 300_000);
