import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { PUBLISHED, publishedText, RELEASE_ID } from '../published.ts';
import { PACKED_LISTS, type PackDocument, packedCorrectionsPath, packPath, parsePack } from './pack.ts';

/** A pack that cannot be used. The message names it, and says why. */
export class PackError extends Error {
  override readonly name = 'PackError';
}

/** Bytes that stay free on the disk beside an opened pack, for state and logs. */
const SPARE_BYTES = 256 << 20;
const MIB = 2 ** 20;
/** Most bytes of a document, and of a list. */
const MOST_DOCUMENT_BYTES = 256 << 20;

/** `releases/files/<2>/<sha256>.<ending>`: the name of a file says what it holds. */
const FILE = /^releases\/(files\/[0-9a-f]{2}\/([0-9a-f]{64})\.[a-z.]+)$/;

/** The members of a zip by name. @throws Error for one that is none, or has members that no pack has. */
async function membersOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const members = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName, compressionMethod } = entry;
    if (compressionMethod !== 0 || entry.isEncrypted() || members.has(fileName))
      throw new Error(`its member ${fileName} is none of a pack`);
    members.set(fileName, entry);
  }
  return members;
}

/** What a pack says of itself. @throws Error saying what is wrong. */
async function documentOf(
  zip: ZipFile,
  members: ReadonlyMap<string, Entry>,
): Promise<{ readonly document: PackDocument; readonly text: string }> {
  const entry = members.get('pack.json');
  if (!entry || entry.uncompressedSize > MOST_DOCUMENT_BYTES) throw new Error('it has no document, so it is no pack');
  const text = (await buffer(await zip.openReadStreamPromise(entry))).toString();
  let document: PackDocument;
  try {
    document = parsePack(text);
  } catch (error) {
    throw new Error(`its document cannot be used: ${(error as Error).message}`);
  }
  if (!RELEASE_ID.test(document.release)) throw new Error('its document names no release');
  return { document, text };
}

/** The SHA-256 that each member must have, by name. @throws Error naming a member that is missing or too many. */
function expectedOf(document: PackDocument, members: ReadonlyMap<string, Entry>): Map<string, string> {
  const head = `releases/${document.release}.json`;
  const lists = new Set<string>([head, ...PACKED_LISTS]);
  const expected = new Map(Object.entries(document.lists).filter(([name]) => lists.has(name)));
  for (const path of document.files) {
    const name = `releases/${path}`;
    const [, , sha256] = FILE.exec(name) ?? [];
    if (sha256 === undefined) throw new Error(`its document names ${name}, which is no file of a release`);
    expected.set(name, sha256);
  }
  if (!expected.has(head)) throw new Error(`its document does not name ${head}`);
  for (const name of expected.keys()) if (!members.has(name)) throw new Error(`${name} is missing`);
  for (const name of members.keys())
    if (name !== 'pack.json' && !expected.has(name)) throw new Error(`its document does not name ${name}`);
  return expected;
}

/** Writes a member as it is. @throws Error when it is not what the document says. */
async function writeMember(zip: ZipFile, entry: Entry, sha256: string, target: string): Promise<void> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await mkdir(dirname(target), { recursive: true });
  await pipeline(await zip.openReadStreamPromise(entry), hashing, createWriteStream(target, { mode: 0o600 }));
  if (hash.digest('hex') !== sha256) throw new Error(`${entry.fileName} does not have its checksum`);
}

/**
 * Makes a home of a pack, in a folder that is named by what the pack holds; one that was made before is used again.
 * @param path of the pack. @param folder in which homes of packs stand. @param progress told how many of its files are written.
 * @returns the home.
 * @throws PackError naming the pack and what is wrong with it; system errors of the disk.
 */
export async function openPack(
  path: string,
  folder: string,
  progress: (done: number, of: number) => void = () => {},
): Promise<string> {
  const refused = (why: string) => new PackError(`${path} cannot be opened as a pack: ${why}`);
  let zip: ZipFile;
  try {
    zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true });
  } catch (error) {
    throw refused(`${(error as Error).message}; copy it again, or make it again with plat pack`);
  }
  let work: string | undefined;
  try {
    const members = await membersOf(zip);
    const { document, text } = await documentOf(zip, members);
    const expected = expectedOf(document, members);
    const mark = createHash('sha256').update(text).digest('hex').slice(0, 16);
    const home = resolve(folder, `${document.release}-${mark}`);
    if (existsSync(packPath(home))) return home;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = [...members.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
    const { bavail, bsize } = await statfs(folder);
    if (bytes + SPARE_BYTES > bavail * bsize)
      throw refused(
        `it takes ${Math.ceil(bytes / MIB)} MiB in ${folder}, where ${Math.floor((bavail * bsize) / MIB)} MiB are free and ` +
          `${SPARE_BYTES / MIB} stay so; name another PLAT_HOME with --home`,
      );
    work = `${home}.${randomUUID()}.partial`;
    let done = 0;
    for (const [name, sha256] of expected) {
      await writeMember(zip, members.get(name)!, sha256, join(work, name));
      progress(++done, expected.size);
    }
    // What the server accepted stays accepted, whatever is accepted here.
    const [corrections] = PACKED_LISTS;
    if (expected.has(corrections)) await copyFile(join(work, corrections), packedCorrectionsPath(work));
    const releases = join(work, 'releases');
    await writeFile(join(releases, PUBLISHED), publishedText(new Map([[document.release, document.published_at]])));
    await writeFile(join(releases, 'current'), `${document.release}\n`);
    await writeFile(packPath(work), text, { mode: 0o600 });
    await rename(work, home).catch(async (error: unknown) => {
      // Another process opened the same pack meanwhile.
      if (!existsSync(packPath(home))) throw error;
    });
    return home;
  } catch (error) {
    if (error instanceof PackError || (error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw refused((error as Error).message);
  } finally {
    zip.close();
    if (work !== undefined) await rm(work, { recursive: true, force: true });
  }
}
