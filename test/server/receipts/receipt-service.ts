import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import type { Receipt } from '../../../server/receipts/document.ts';
import type { PublishedKey } from '../../../server/receipts/keys.ts';
import { startServer } from '../../../server/service.ts';
import { syntheticHome } from '../../synthetic-home.ts';

export const FILTERS = [
  { field: 'state', op: 'eq', value: 'ME' },
  { field: 'acreage', op: 'gt', value: 0.5 },
];

/** A server of the shared area that gives receipts. */
export async function receiptService() {
  const home = mkdtempSync(join(tmpdir(), 'plat-receipts-'));
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const env = { PLAT_HOME: home, PORT: '0', PLAT_LOG: 'silent', PLAT_WORKERS: '1', PLAT_JOBS: 'off' };
  const service = await startServer(readSettings(env), catalog);
  const token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'scale'));
  const ask = async (path: string, body: object): Promise<{ receipt: Receipt; answer: Buffer }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-service-receipt': '1' };
    const reply = await fetch(new URL(path, service.address), { method: 'POST', headers, body: JSON.stringify(body) });
    const answer = Buffer.from(await reply.arrayBuffer());
    const url = new URL(`/v1/receipts/${reply.headers.get('x-service-receipt')}`, service.address);
    const stored = await fetch(url, { headers });
    expect([reply.status, stored.status], answer.toString().slice(0, 500)).toEqual([200, 200]);
    return { receipt: (await stored.json()) as Receipt, answer };
  };
  const { answer } = await ask('/v1/search', { filters: FILTERS, limit: 1 });
  const { lat, lng } = JSON.parse(answer.toString()).matches[0].analysis_point as { lat: number; lng: number };
  return {
    home,
    ask,
    /** The place of a parcel. */
    place: { lat, lng },
    async keys(): Promise<PublishedKey[]> {
      const reply = await fetch(new URL('/.well-known/receipt-keys.json', service.address));
      return ((await reply.json()) as { keys: PublishedKey[] }).keys;
    },
    async [Symbol.asyncDispose]() {
      await service.drain(1_000);
      rmSync(home, { recursive: true });
    },
  };
}
