import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AcceptedCorrection, correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { openPack } from '../../../query/release/pack/open-pack.ts';
import { layCorrections } from '../../../server/corrections/overlay.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { inThisProcess } from '../../in-this-process.ts';
import { seeded } from '../../query/spoiling.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { start } from '../plat.ts';
import { areaFile, compared, FIELDS, Folders, LOT, openedPack, packed, placeIn, SITE, served } from './packed-area.ts';

const folders = new Folders();
let home: string;
let pack: string;

beforeAll(async () => {
  ({ home } = await syntheticHome());
  const folder = folders.make();
  pack = join(folder, 'site.platpack');
  expect(await packed(home, areaFile(folder, SITE), pack)).toMatchObject({ status: 0 });
}, 300_000);
afterAll(() => folders.remove());

/** A copy of the pack, and where it would be opened. */
function copied(): { readonly path: string; readonly folder: string } {
  const folder = folders.make();
  const path = join(folder, 'copy.platpack');
  cpSync(pack, path);
  return { path, folder: join(folder, 'packs') };
}

describe('a pack that is damaged', () => {
  it.each([
    [
      'a bit of a file',
      'releases/files/',
      /releases\/files\/[0-9a-f]{2}\/[0-9a-f]{64}\.[\w.]+ does not have its checksum/,
    ],
    [
      'a digit of its area',
      '"coordinates":[[[[-70.',
      /its document cannot be used: its content does not have its checksum/,
    ],
    ['its manifest', '"format":3,"id":"', /releases\/\d{8}-[0-9a-f]{8}\.json does not have its checksum/],
  ])('is refused by its name: %s', async (_what, before, why) => {
    const { path, folder } = copied();
    const bytes = readFileSync(path);
    // The bytes of a file follow the name of the member.
    const at = bytes.indexOf(before) + before.length + (before.endsWith('/') ? 200 : 0);
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(path, bytes);
    await expect(openPack(path, folder)).rejects.toThrow(why);
    await expect(openPack(path, folder)).rejects.toThrow(path);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('is refused by its name: cut off, or something else', async () => {
    const { path, folder } = copied();
    truncateSync(path, readFileSync(path).length - 1_000);
    await expect(openPack(path, folder)).rejects.toThrow(`${path} cannot be opened as a pack`);
    await expect(openPack(areaFile(folders.make(), SITE), folder)).rejects.toThrow(/cannot be opened as a pack/);
    await expect(inThisProcess(folders.make(), 'serve', { pack: path })).rejects.toThrow(`${path} cannot be opened`);
  });
});

describe('plat pack refuses', () => {
  const packing = (area: string, out = join(folders.make(), 'out.platpack')) => packed(home, area, out);

  it('an area outside of the release, and what is no area', async () => {
    const folder = folders.make();
    await expect(packing(areaFile(folder, [400_000, 0, 401_000, 1_000]))).rejects.toThrow(
      /the area lies outside of all places of release \d{8}-[0-9a-f]{8}/,
    );
    const path = join(folder, 'line.geojson');
    writeFileSync(
      path,
      JSON.stringify({
        type: 'LineString',
        coordinates: [
          [-70.7, 43.1],
          [-70.6, 43.1],
        ],
      }),
    );
    await expect(packing(path)).rejects.toThrow(
      /line\.geojson, row 1: LineString in a layer of polygons; expected polygons/,
    );
    writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features: [] }));
    await expect(packing(path)).rejects.toThrow(/holds no polygon/);
  });

  it('to write over a file, and files that are damaged', async () => {
    const area = areaFile(folders.make(), SITE);
    await expect(packed(home, area, pack)).rejects.toThrow(`--out ${pack} is there already`);
    const damaged = folders.make();
    cpSync(home, damaged, { recursive: true });
    const files = join(damaged, 'releases', 'files');
    const [raster] = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cog'));
    writeFileSync(join(files, raster!), 'no raster');
    const out = join(folders.make(), 'out.platpack');
    await expect(packed(damaged, area, out)).rejects.toThrow(`files/${raster} is missing or damaged`);
    expect(existsSync(out)).toBe(false);
  });

  it('to take along owners that are withheld, unless it is told to; a pack withholds them too', async () => {
    const withholding = folders.make();
    cpSync(home, withholding, { recursive: true });
    await inThisProcess(withholding, 'withhold add', { name: 'Mary Smith' });
    const [area, out] = [areaFile(folders.make(), LOT), join(folders.make(), 'out.platpack')];
    await expect(packed(withholding, area, out)).rejects.toThrow(/owners are withheld/);
    await packed(withholding, area, out, { withWithheld: true });
    const opened = await openPack(out, folders.make());
    expect(readFileSync(join(opened, 'withheld.ndjson'), 'utf8')).toContain('Mary Smith');
  });
});

it('plat serve --pack answers from it, and says where it is open', async () => {
  const laptop = folders.make();
  const child = start(laptop, ['serve', '--pack', pack, '--json'], { PLAT_LOG: 'error' });
  const ended = once(child, 'close');
  const said = text(child.stderr!);
  let address = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    ({ address } = JSON.parse(line) as { address: string });
    break;
  }
  expect(await (await fetch(`${address}/readyz`)).json()).toMatchObject({ status: 'ready' });
  child.kill();
  await ended;
  const [folder] = readdirSync(join(laptop, 'packs'));
  expect(await said).toContain(`${pack} is open in ${join(laptop, 'packs', folder!)}`);
  expect(existsSync(join(laptop, 'packs', folder!, 'state.sqlite'))).toBe(true);
  expect(existsSync(join(laptop, 'state.sqlite'))).toBe(false);
}, 60_000);

it('corrections that were accepted where it was made stay, whatever is accepted where it is served', async () => {
  const corrected = folders.make();
  cpSync(home, corrected, { recursive: true });
  const accepted: AcceptedCorrection = {
    correction_id: 'cor_there',
    ...{ field: 'elevation', also: [], dataset: 'usgs_3dep', value: 12.5, parcel_id: null },
    ...{ lat: 43.1, lng: -70.7, evidence_url: null, accepted_at: '2026-11-26T00:00:00.000Z' },
  };
  writeFileSync(correctionsPath(corrected), `${JSON.stringify(accepted)}\n`);
  const out = join(folders.make(), 'out.platpack');
  await packed(corrected, areaFile(folders.make(), LOT), out);
  const opened = await openPack(out, folders.make());
  const ids = () => readFileSync(correctionsPath(opened), 'utf8').match(/cor_\w+/g);
  expect(ids()).toEqual(['cor_there']);
  const here = { corrections: { accepted: async () => [{ ...accepted, correction_id: 'cor_here' }] } };
  await layCorrections(here as unknown as StateStore, opened);
  expect(ids()).toEqual(['cor_there', 'cor_here']);
}, 60_000);

describe('the home of a pack', () => {
  it('is not changed by an ingest, and is no release to export, push or save', async () => {
    const opened = await openPack(pack, folders.make());
    expect(await inThisProcess(opened, 'release verify', { json: true })).toMatchObject({ status: 0 });
    const out = join(folders.make(), 'out');
    for (const [name, options, ...args] of [
      ['ingest overlay', {}],
      ['release prune', {}],
      ['release export', { out }],
      ['release push', { store: out }],
    ] as [string, Record<string, string>, ...string[]][])
      await expect(inThisProcess(opened, name, options, args), name).rejects.toThrow(/is a pack of release .* whole/);
  });

  it('is made once of the same pack, and of it a pack of a part of its area is made that answers as it', async () => {
    const opened = await openPack(pack, join(folders.make(), 'packs'));
    expect(await openPack(pack, join(opened, '..'))).toBe(opened);
    expect(readdirSync(join(opened, '..'))).toHaveLength(1);
    const wider = join(folders.make(), 'wider.platpack');
    const [west, sea, east, inland] = SITE;
    await expect(packed(opened, areaFile(folders.make(), [west - 1, sea, east, inland]), wider)).rejects.toThrow(
      /the area goes beyond that of the pack/,
    );
    const servers = [await served(opened), await served(await openedPack(opened, LOT, folders))] as const;
    try {
      const random = seeded(71_010);
      const { equal, differing } = await compared(
        servers,
        Array.from({ length: 3 }, () => placeIn(LOT, random)),
      );
      expect(differing).toEqual([]);
      expect(equal).toBe(3 * FIELDS);
    } finally {
      await Promise.all(servers.map(server => server.close()));
    }
  }, 120_000);
});
