import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Manifest } from '../../datasets/release.ts';
import { STAMP } from '../../ingest/writers/filegdb.ts';
import { UsageError } from '../../query/engine/command.ts';
import { loadGeos } from '../../query/geometry/geos.ts';
import { PreparedArea } from '../../query/geometry/prepared-area.ts';
import { Store } from '../../query/release/home/store.ts';
import { ReleaseError } from '../../query/release/manifest.ts';
import { PACKED_LISTS, packArea, packOf, packText, readPack } from '../../query/release/pack/pack.ts';
import { publishedIn } from '../../query/release/published.ts';
import { ServingLease } from '../../query/release/serving-lease.ts';
import { type Contents, contentsOf } from './contents.ts';

/** What a pack is made of. */
interface PackOrder {
  /** PLAT_HOME. */
  readonly home: string;
  readonly manifest: Manifest;
  /** Valid polygons, lng,lat degrees. */
  readonly area: Geometry;
  readonly catalog: Catalog;
  /** File to make; one that is there is refused. */
  readonly out: string;
  readonly progress?: (done: number, of: number) => void;
}

/** What was made. */
interface Packed {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly layers: Contents['layers'];
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** @throws UsageError for an area of which the release, or the pack in its place, has nothing of its own. */
async function requireArea({ home, manifest, area }: PackOrder, { covered }: Contents): Promise<void> {
  const document = readPack(home);
  if (document && !new PreparedArea(packOf(document).area, await loadGeos()).covers(area))
    throw new UsageError('the area goes beyond that of the pack in this home: make it from the whole release');
  if (!covered)
    throw new UsageError(
      `the area lies outside of all places of release ${manifest.id}: plat place list and plat release show say which it has`,
    );
}

/**
 * Writes the pack of an area: a zip of stored members, a home with one release without the files that no answer in the area needs.
 * It appears only when it is whole.
 * @throws UsageError for an area that the release does not have, or a file that is there already; ReleaseError for a damaged file.
 */
export async function writePack(order: PackOrder): Promise<Packed> {
  const { home, manifest, area, catalog, progress } = order;
  const out = resolve(order.out);
  if (existsSync(out)) throw new UsageError(`--out ${out} is there already: name another file, or remove it`);
  // The lease keeps the release from being pruned while it is packed.
  const lease = new ServingLease(home);
  const partial = `${out}.${randomUUID()}.partial`;
  try {
    lease.hold(manifest.id);
    const contents = contentsOf(manifest, area, catalog);
    await requireArea(order, contents);
    const store = new Store(home);
    for (const file of contents.files)
      if (!(await store.holds(file)))
        throw new ReleaseError(`${file.path} is missing or damaged; see plat release verify ${manifest.id}`);
    const lists = new Map<string, Buffer>();
    const head = `releases/${manifest.id}.json`;
    for (const name of [head, ...PACKED_LISTS])
      if (name === head || existsSync(join(home, name))) lists.set(name, await readFile(join(home, name)));
    const document = packText({
      format: 1,
      release: manifest.id,
      made_at: new Date().toISOString(),
      published_at: publishedIn(store.releases)?.get(manifest.id) ?? manifest.createdAt,
      area: packArea(area),
      files: contents.files.map(({ path }) => path).sort(),
      lists: Object.fromEntries([...lists].map(([name, bytes]) => [name, sha256Of(bytes)])),
    });
    await mkdir(dirname(out), { recursive: true });
    const zip = new ZipFile();
    const plain = { ...STAMP, compress: false };
    zip.on('error', error => (zip.outputStream as Transform).destroy(error as Error));
    zip.addBuffer(Buffer.from(document), 'pack.json', plain);
    for (const [name, bytes] of lists) zip.addBuffer(bytes, name, plain);
    for (const { path } of contents.files) zip.addFile(join(home, 'releases', path), `releases/${path}`, plain);
    zip.end();
    const total = contents.files.reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    zip.outputStream.on('data', (chunk: Buffer) => {
      done += chunk.length;
      progress?.(Math.min(done, total), total);
    });
    // A pack has what was published of owners: for its owner alone.
    await pipeline(zip.outputStream, createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, out);
    const { size } = await stat(out);
    return { path: out, bytes: size, files: contents.files.length, layers: contents.layers };
  } finally {
    lease.close();
    await rm(partial, { force: true });
  }
}
