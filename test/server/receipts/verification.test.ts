import { expect, it } from 'vitest';
import type { Receipt } from '../../../server/receipts/document.ts';
import { verifyReceipt } from '../../../server/verification/verification.ts';
import { VERSION } from '../../../server/version.ts';
import { receiptService } from './receipt-service.ts';

it('checks signature, request, answer, release and files, and says what is wrong', async () => {
  await using service = await receiptService();
  const { ask, place, home } = service;
  const terms = async (given: Buffer | null) => ({
    home,
    version: VERSION,
    keys: await service.keys(),
    answer: given,
    body: null,
  });
  const { receipt, answer } = await ask('/v1/fetch', { ...place, fields: ['fema_flood_zone'] });
  const files = receipt.release.layers.flatMap(layer => layer.files);
  expect(files.length).toBeGreaterThan(0);
  const { checks, differences } = await verifyReceipt(receipt, await terms(answer));
  expect(checks.map(({ what, right }) => [what, right])).toEqual([
    ['signature', true],
    ['request', true],
    ['answer', true],
    ['engine', true],
    ['release', true],
    ['files', true],
    ['recomputation', true],
  ]);
  expect(differences).toEqual([]);
  const rightOf = async (altered: Receipt, given: Buffer | null = null) =>
    Object.fromEntries(
      (await verifyReceipt(altered, await terms(given))).checks.map(({ what, right }) => [what, right]),
    );
  const request = { ...receipt.request, sha256: '0'.repeat(64) };
  expect(await rightOf({ ...receipt, request }, Buffer.from('{}'))).toMatchObject({
    signature: false,
    request: false,
    answer: false,
  });
  const elsewhere = { ...receipt.release, id: '20200101-00000000' };
  expect(await rightOf({ ...receipt, release: elsewhere })).toMatchObject({ signature: false, release: null });
  const layers = [{ layer: 'x:y', version: '', files: [{ path: '../state.sqlite', sha256: '0'.repeat(64) }] }];
  const strange = { ...receipt.release, manifest_sha256: '0'.repeat(64), layers };
  expect(await rightOf({ ...receipt, release: strange, request })).toMatchObject({ release: false, files: false });
}, 240_000);

it('of an answer that tells no field by name has the files of the sources that it cites', async () => {
  await using service = await receiptService();
  // A lot with a house.
  const { receipt } = await service.ask('/v1/structures', { lat: 43.12494, lng: -70.71829 });
  const layers = receipt.release.layers.map(({ layer, files }) => [layer, files.length > 0]);
  expect(layers).toEqual(
    expect.arrayContaining([
      ['fema_nfhl:S_FLD_HAZ_AR', true],
      ['fema_usa_structures:main', true],
      ['usgs_3dep:main', true],
    ]),
  );
}, 240_000);
