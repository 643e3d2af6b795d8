import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { claim } from '../../../../pipelines/release/push/claim.ts';
import { fences, type ObjectStore } from '../../../../query/release/store/object-store.ts';
import { entryAt, type StoreEntry } from '../../../../query/release/store/store-entry.ts';

/** The MD5 of each part of some bytes. */
export const md5Of = (bytes: Buffer, partBytes = bytes.length || 1): string[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / partBytes)) }, (_, i) =>
    createHash('md5')
      .update(bytes.subarray(i * partBytes, (i + 1) * partBytes))
      .digest('base64'),
  );
const LONG = process.env.PLAT_TEST === 'long';
/** How often each of eight publishers pushes. */
const EACH = LONG ? 25 : 5;
const always = () => true;

/** A release id, the same for the same number. */
export const idOf = (n: number): string => `20261120-${n.toString(16).padStart(8, '0')}`;
/** The SHA-256 that a test says of a manifest that nobody reads. */
export const SHA = '0'.repeat(64);

export async function entries(store: ObjectStore): Promise<StoreEntry[]> {
  const keys = await store.list('releases/');
  return Promise.all(keys.map(async key => (await entryAt(store, Number(key.slice(9, 19))))!));
}

/** What every kind of store must do. @param open a new one, empty. */
export function storeSuite(name: string, open: () => ObjectStore): void {
  describe(`${name} as store`, () => {
    const work = mkdtempSync(join(tmpdir(), 'plat-store-'));
    afterAll(() => rmSync(work, { recursive: true, force: true }));

    it('has what was put, whole, from any byte on, and nothing else', async () => {
      const store = open();
      const path = join(work, 'file');
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));
      writeFileSync(path, bytes);
      const key = 'files/aa/b.fgb';
      expect([await store.size(key), await store.read(key), await store.open(key, 0)]).toEqual([null, null, null]);
      await store.put(key, path, bytes.length, md5Of(bytes));
      expect(await store.size(key)).toBe(bytes.length);
      expect((await store.read(key))!.equals(bytes)).toBe(true);
      for (const from of [0, 1, 65_536, 299_999]) {
        const chunks = (await (await store.open(key, from))!.toArray()) as Buffer[];
        expect(Buffer.concat(chunks).equals(bytes.subarray(from)), `from ${from}`).toBe(true);
      }
    });

    it('has a file of no bytes', async () => {
      const store = open();
      const path = join(work, 'empty');
      writeFileSync(path, '');
      await store.put('files/aa/empty', path, 0, md5Of(Buffer.alloc(0)));
      expect([await store.size('files/aa/empty'), await store.read('files/aa/empty')]).toEqual([0, Buffer.alloc(0)]);
    });

    it('makes an object once, and of sixteen who race one', async () => {
      const store = open();
      expect(await fences(store)).toBe(true);
      expect(await fences(store)).toBe(true);
      const racers = Array.from({ length: 16 }, (_, i) => store.create('releases/x.json', Buffer.from(`${i}`)));
      const results = await Promise.all(racers);
      expect(results.filter(result => result === 'made')).toHaveLength(1);
      expect((await store.read('releases/x.json'))!.toString()).toBe(String(results.indexOf('made')));
    });

    it('lists more than a page in order, and what comes after a key', async () => {
      const store = open();
      expect(await store.list('releases/')).toEqual([]);
      const keys = Array.from({ length: 60 }, (_, i) => `releases/${i + 10}.json`);
      for (const key of [...keys].reverse()) await store.create(key, Buffer.from('x'));
      await store.create('other/0.json', Buffer.from('x'));
      expect(await store.list('releases/')).toEqual(keys);
      expect(await store.list('releases/', keys[2])).toEqual(keys.slice(3));
      expect(await store.list('releases/', keys[59])).toEqual([]);
    });

    it(`numbers what eight publishers push ${EACH} times each, without gap or fork`, async () => {
      const store = open();
      const publisher = async (of: number) => {
        for (let i = 0; i < EACH; i++) await claim(store, { release: idOf(of * 100 + i), manifestSha256: SHA }, always);
      };
      await Promise.all(Array.from({ length: 8 }, (_, of) => publisher(of)));
      const all = await entries(store);
      expect(all.map(({ number }) => number)).toEqual(Array.from({ length: 8 * EACH }, (_, i) => i + 1));
      expect(all.map(({ parent }) => parent)).toEqual([null, ...all.slice(0, -1).map(({ release }) => release)]);
      expect(new Set(all.map(({ release }) => release)).size).toBe(8 * EACH);
    }, 120_000);

    it('refuses a release after one that its home does not have', async () => {
      const store = open();
      await claim(store, { release: idOf(1), manifestSha256: SHA }, always);
      const push = claim(store, { release: idOf(2), manifestSha256: SHA }, release => release === idOf(0));
      await expect(push).rejects.toThrow('is not of this home');
      expect((await entries(store)).map(({ release }) => release)).toEqual([idOf(1)]);
    });
  });
}
