import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Manifest, Overlay } from '../../../datasets/release.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId } from '../../../query/release/home/releases.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { PLAT } from '../../plat.ts';
import { copy, home, ingestAndOverlay, manifestOf, overlayOf, parcelsOf } from './overlay-fixture.ts';
import './overlay.test.ts';

let full: NonNullable<Manifest['overlays']>;
beforeAll(async () => {
  await ingestAndOverlay();
  full = openRelease(home).manifest.overlays!;
});

// Kills at many moments: kill.long.test.ts. These two compute all fields anew.
describe('an overlay that does not come to its end', () => {
  it('killed once a block is done, goes on from there and ends as if it had not been', async () => {
    const at = copy();
    const stages = join(at, 'releases/overlay');
    const before = currentId(join(at, 'releases'));
    const blocks = () =>
      existsSync(stages)
        ? readdirSync(stages).flatMap(name => readdirSync(join(stages, name)).filter(file => file.endsWith('.block')))
        : [];
    const child = spawn(PLAT, ['ingest', 'overlay', '--threads', '0'], {
      env: { ...process.env, PLAT_HOME: at },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    const watch = setInterval(() => {
      if (blocks().length) child.kill('SIGKILL');
    }, 5);
    expect(await ended).toBe(null);
    clearInterval(watch);
    expect(currentId(join(at, 'releases'))).toBe(before);
    expect((await verify(join(at, 'releases'), manifestOf(at))).damage).toEqual([]);
    const report = await overlayOf(at);
    expect(report.resumed).toBeGreaterThan(0);
    expect(report.resumed).toBeLessThan(report.parcels);
    expect(manifestOf(at).overlays).toEqual(full);
    expect(existsSync(stages)).toBe(false);
  });

  it('a source that cannot be read leaves failed values, and is tried again', async () => {
    const at = copy();
    const damaged = openRelease(at);
    const raster = damaged.layer('mrlc_nlcd', 'tree_canopy')!.partitions[0]!.files.find(f => f.role === 'raster')!;
    const path = damaged.pathOf(raster);
    const bytes = readFileSync(path);
    renameSync(path, `${path}.away`);
    const first = await overlayOf(at);
    expect(first.changed).toBe(true);
    const broken = openRelease(at);
    const [partition] = parcelsOf(broken);
    const calculated = new Calculated(new Layers(broken, createCache(64)), catalog, partition!);
    const stored = await calculated.findings(0, ['tree_canopy_percent', 'elevation']);
    expect(stored.get('tree_canopy_percent')).toMatchObject({ status: 'failed', value: null, retryable: true });
    expect(stored.get('elevation')!.status).toBe('ok');
    const retried = (own: Readonly<Record<string, Overlay>>) => Object.keys(own).filter(dataset => own[dataset]!.retry);
    for (const own of Object.values(broken.manifest.overlays!)) expect(retried(own)).toEqual(['mrlc_nlcd']);
    writeFileSync(path, bytes);
    const second = await overlayOf(at);
    expect(new Set(second.written.map(w => w.dataset))).toEqual(new Set(['mrlc_nlcd']));
    expect(manifestOf(at).overlays).toEqual(full);
  });
});
