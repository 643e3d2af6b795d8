import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, vi } from 'vitest';
import * as tar from '../../ingest/format/tar.ts';
import { openSource } from '../../ingest/format.ts';
import type { Source } from '../../ingest/reader.ts';
import { folder } from '../pipelines/village.ts';
import { failureOf, readRows } from './readers/scratch.ts';
import { tarOf } from './tar.ts';

// Only counts.
vi.mock('../../ingest/format/tar.ts', async original => {
  const real = await original<typeof tar>();
  return { ...real, unpackTar: vi.fn(real.unpackTar) };
});

const unpacked = () => readdirSync(tmpdir()).filter(name => name.startsWith('plat-archive-'));

it('a tar archive of several members is unpacked once, and anew when it changes', async () => {
  const sources = folder();
  const path = join(sources, 'all.tar.gz');
  const pack = (names: readonly string[]) =>
    writeFileSync(
      path,
      gzipSync(tarOf(Object.fromEntries(names.map(name => [`data/${name}.csv`, `name\n${name}\n`])))),
    );
  const names = ['lots', 'roads', 'zones'];
  pack(names);
  const before = new Set(unpacked());
  const counted = vi.mocked(tar.unpackTar);
  const { choice } = await failureOf(path);
  expect([...choice!.names].sort()).toEqual(names.map(name => `data/${name}.csv`));
  // One after another, as a place lists them, and at once.
  for (const name of names)
    expect((await readRows(path, { member: `${name}.csv` })).map(row => row.properties)).toEqual([{ name }]);
  const open: Source[] = await Promise.all(names.map(name => openSource(path, { options: { member: `${name}.csv` } })));
  expect(counted).toHaveBeenCalledTimes(1);
  pack([...names, 'wells']);
  expect(await readRows(path, { member: 'wells.csv' })).toHaveLength(1);
  expect(counted).toHaveBeenCalledTimes(2);
  // Files that are still open stay readable, and go with the last of them.
  for (const source of open) {
    let rows = 0;
    for await (const batch of source.rows()) rows += batch.length;
    expect(rows).toBe(1);
    await source.close();
  }
  expect(unpacked().filter(name => !before.has(name)).length).toBe(1);
  rmSync(sources, { recursive: true });
});
