import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Manifest } from '../../../datasets/release.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { run } from '../../../pipelines/run.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { type Handler, Publisher, send } from '../../ingest/acquire/publisher.ts';
import { PLAT } from '../../plat.ts';
import { ended } from '../killing.ts';
import { SILENT } from '../silent.ts';
import { FILES, feature, folder, square, village, writeFiles } from '../village.ts';

/** Squares of wetland: half a megabyte, which the publisher sends over a second. */
const wetlands = (code: string) =>
  Array.from({ length: 3000 }, (_, i) =>
    feature('Polygon', [square(-69 + (i % 100) * 0.001, 44 + Math.floor(i / 100) * 0.001, 0.0009)], { code }),
  );

/** Sends a file in pieces with pauses between them, from where it is asked to go on. */
const slowly =
  (publisher: Publisher, path: string): Handler =>
  (request, response) => {
    const { write } = response;
    const end = response.end.bind(response);
    response.end = ((body?: Buffer) => {
      if (!body) return end();
      void (async () => {
        const piece = Math.ceil(publisher.files.get(path)!.body.length / 25);
        for (let at = 0; at < body.length && !response.destroyed; at += piece) {
          write.call(response, body.subarray(at, at + piece), 'utf8', () => {});
          await sleep(40);
        }
        end();
      })();
      return response;
    }) as typeof response.end;
    send(publisher.files.get(path)!, request, response);
  };

/** What a release holds, but for when its files came. */
const datasetsOf = ({ datasets }: Manifest) =>
  JSON.parse(JSON.stringify(datasets, (key, value) => (key === 'retrievedAt' ? undefined : value)));

/**
 * Kills an ingest (signal 9) that downloads, after each delay. Each time the release that was published before must be
 * sound, and every downloaded file one that was published, whole. After all of them a run must go through with what is
 * published then, and make what a home that nothing happened to makes.
 * @returns how many were killed before they had ended, and how many downloads went on where an earlier one had ended.
 */
export async function killAcquiring(delays: readonly number[]): Promise<{ killed: number; resumed: number }> {
  const [home, files] = [folder(), folder()];
  const sources = join(home, 'sources', 'village');
  const releases = join(home, 'releases');
  const publisher = await new Publisher().start();
  /** Every version of a file that was ever published. */
  const versions = new Map<string, Set<string>>();
  const publish = (name: string, features: readonly unknown[]) => {
    writeFiles(files, { [name]: features });
    const body = readFileSync(join(files, name));
    publisher.put(`/gis/${name}`, body, { etag: `"${versions.get(name)?.size ?? 0}"` });
    versions.set(name, (versions.get(name) ?? new Set()).add(body.toString()));
  };
  for (const [name, features] of Object.entries(FILES)) publish(name, features);
  const published = Object.fromEntries(
    Object.keys(FILES).map(name => [name, { url: `https://gis.village.example/gis/${name}` }]),
  );
  const place = join(files, 'village.json');
  writeFileSync(place, JSON.stringify({ ...village, files: published }));
  const ingest = () =>
    spawn(PLAT, ['ingest', 'run', '--place-file', place, '--threads', '0', '--accept', 'village'], {
      env: { ...process.env, PLAT_HOME: home, PLAT_MIRROR: `gis.village.example=${publisher.origin}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let killed = 0;
  try {
    expect(await ended(ingest())).toMatchObject({ code: 0 });
    publisher.handlers.set('/gis/wetlands.geojson', slowly(publisher, '/gis/wetlands.geojson'));
    publisher.log.length = 0;
    for (const [i, delay] of delays.entries()) {
      // Another version comes now and then, also while an older one is half here.
      if (i % 4 === 0) publish('wetlands.geojson', wetlands(`P${i}`));
      const asked = publisher.log.length;
      const child = ingest();
      const end = ended(child);
      // Every second one within the second that the download takes, the others whenever it is.
      const isDownloading = () => publisher.log.slice(asked).some(({ path }) => path === '/gis/wetlands.geojson');
      if (i % 2 === 0) while (!isDownloading() && child.exitCode === null) await sleep(5);
      await sleep(i % 2 === 0 ? delay % 900 : delay);
      child.kill('SIGKILL');
      if ((await end).code === null) killed++;
      const id = currentId(releases)!;
      expect((await verify(releases, readManifest(releases, id))).damage).toEqual([]);
      for (const [name, known] of versions) {
        const path = join(sources, name);
        if (existsSync(path)) expect(known.has(readFileSync(path, 'utf8')), name).toBe(true);
      }
    }
    const resumed = publisher.log.filter(({ headers }) => headers.range !== undefined).length;
    publish('wetlands.geojson', wetlands('PEM1'));
    publisher.handlers.clear();
    expect(await ended(ingest())).toMatchObject({ code: 0 });
    const made = readManifest(releases, currentId(releases)!);
    const other = folder();
    const fresh = await run({ home: other, sources: files, place: village, threads: 0, progress: SILENT });
    expect(datasetsOf(made)).toEqual(datasetsOf(readManifest(join(other, 'releases'), fresh.release)));
    rmSync(other, { recursive: true, force: true });
    return { killed, resumed };
  } finally {
    await publisher.stop();
    for (const path of [home, files]) rmSync(path, { recursive: true, force: true });
  }
}
