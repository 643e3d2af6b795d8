import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import { areaTest, type Test } from '../../../query/search/request/filter.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';
import { squares } from '../search/slow.ts';

vi.mock('../../../query/engine/file-checker.ts', async original => {
  const real = await original<typeof import('../../../query/engine/file-checker.ts')>();
  const mortal = fileURLToPath(new URL('./mortal-worker.ts', import.meta.url));
  return { ...real, threadFile: (name: string) => ({ ...real.threadFile(name), filename: mortal }) };
});

/** A band with so many corners that its search is a worker's: where a machine is quiet, the serving thread answers what is quick. */
const CORNERS = 8_000;
const WIDE: Polygonal = {
  type: 'Polygon',
  coordinates: [
    [
      [-68, 43.9],
      [-67, 43.9],
      ...Array.from({ length: CORNERS }, (_, i): [number, number] => [-67 - i / CORNERS, 44.1]),
      [-68, 43.9],
    ],
  ],
};
const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const point = { lng: -67.9995, lat: 44.0005 };
const soon = () => ({ deadline: Date.now() + 20_000 });
const told: string[] = [];

let release: ParcelRelease;
let engine: Engine;
beforeAll(async () => {
  release = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels: squares(6, -68, 'a') }]);
  const warn = (message: string) => void told.push(message);
  engine = await createEngine({ home: release.home, workers: 1, queue: 16, memoryMb: 64, warn });
}, 30_000);
afterAll(async () => {
  await engine?.close();
  release.remove();
});

const kinds: readonly (readonly [string, (engine: Engine) => Promise<unknown>])[] = [
  ['fetch', at => at.fetch(['parcel_apn'], point, soon())],
  ['enrich', at => at.enrich({ point, address: null, names: [] }, soon())],
  [
    'search',
    at =>
      at
        .search(
          {
            filters: { tests: [ME], areas: [areaTest('intersects', fromGeoJSON(WIDE), 'filters[1].value')] },
            outputs: [],
            countyByFips: false,
            limit: 10,
            after: null,
            budget: BUDGET,
          },
          soon(),
        )
        .then(page => Buffer.from(textOf((page as WrittenPage).matches)).toString()),
  ],
];

describe('a worker that ends at work', () => {
  it.each(kinds)('rejects the %s it had begun with, and another one answers the next', async (_, ask) => {
    const before = JSON.stringify(await ask(engine));
    const lines = told.length;
    writeFileSync(join(release.home, 'die'), '');
    await expect(ask(engine)).rejects.toMatchObject({
      name: 'WorkerStopped',
      message: 'the worker stopped: worker exited with code: 7',
    });
    expect(JSON.stringify(await ask(engine)).length).toBe(before.length);
    expect(told.slice(lines)).toEqual(['a worker ended and is replaced: exit code 7']);
    expect(engine.status().workers.size).toBe(1);
  });
});
