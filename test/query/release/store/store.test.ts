import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claim } from '../../../../pipelines/release/push/claim.ts';
import { send } from '../../../../pipelines/release/push/upload.ts';
import { FolderStore } from '../../../../query/release/store/folder-store.ts';
import { fences } from '../../../../query/release/store/object-store.ts';
import { openStore } from '../../../../query/release/store/open-store.ts';
import { S3Store } from '../../../../query/release/store/s3-store.ts';
import { type Fault, useS3Double } from './s3-double.ts';
import { idOf, md5Of, SHA, storeSuite } from './store-suite.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-stores-'));
const double = useS3Double();
let made = 0;

const s3 = () => new S3Store(`s3://bucket/prefix-${made++}`);
const always = () => true;

afterAll(async () => {
  rmSync(work, { recursive: true, force: true });
});

storeSuite('a bucket', s3);
storeSuite('a folder', () => new FolderStore(join(work, `store-${made++}`)));

describe('the address of a store', () => {
  it('is that of a bucket or a folder', async () => {
    expect(await openStore('s3://bucket/a/prefix/')).toBeInstanceOf(S3Store);
    expect(await openStore('file:///a%20folder')).toMatchObject({ name: '/a folder' });
    expect(await openStore('/a/folder')).toMatchObject({ name: '/a/folder' });
    await expect(openStore('https://example.org/')).rejects.toThrow('is no store');
    await expect(openStore('s3://No')).rejects.toThrow('is no store');
  });
});

describe('a bucket that fails', () => {
  // Waits before another try are shares of what a random number says.
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => void vi.restoreAllMocks());

  it('once is asked again', async () => {
    const store = s3();
    const path = join(work, 'faulty');
    const bytes = Buffer.alloc(2_000_000, 'faulty');
    writeFileSync(path, bytes);
    double().faults.PUT.push(503, 'reset', 'wrong', { cut: 70_000 });
    await store.put('files/f', path, bytes.length, md5Of(bytes));
    double().faults.GET.push('short', 503, 'reset');
    expect((await store.read('files/f'))!.equals(bytes)).toBe(true);
    double().faults.HEAD.push(503);
    expect(await store.size('files/f')).toBe(bytes.length);
  });

  it('with every attempt is an error, and nothing is there', async () => {
    const store = s3();
    const path = join(work, 'faulty');
    writeFileSync(path, 'x');
    double().faults.PUT.push(...Array.from({ length: 5 }, (): Fault => 'wrong'));
    await expect(store.put('files/g', path, 1, md5Of(Buffer.from('x')))).rejects.toThrow('BadDigest');
    expect(await store.size('files/g')).toBeNull();
  });

  it('takes a large file in parts, each held against its checksum, and shows it when all are there', async () => {
    const store = new S3Store(`s3://bucket/prefix-${made++}`, 300_000);
    const path = join(work, 'large');
    const bytes = Buffer.from(Array.from({ length: 1_000_001 }, (_, i) => (i * 7 + (i >> 9)) % 251));
    writeFileSync(path, bytes);
    const content = { path: 'files/l', sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
    double().faults.PUT.push(503, 'wrong', { cut: 70_000 }, 'late-reset');
    // The begin, the begin again, and the end.
    double().faults.POST.push(503, 'slow', 'late-reset');
    await send(store, path, content);
    expect((await store.read('files/l'))!.equals(bytes)).toBe(true);
    double().faults.PUT.push(...Array.from({ length: 6 }, (): Fault => 'wrong'));
    await expect(send(store, path, { ...content, path: 'files/m' })).rejects.toThrow('BadDigest');
    expect([await store.size('files/m'), double().uploads.size]).toEqual([null, 0]);
  });

  it('with the answer to a number that was ours gives it no second number', async () => {
    const store = s3();
    double().faults.PUT.push('late-reset');
    expect(await claim(store, { release: idOf(1), manifestSha256: SHA }, always)).toMatchObject({ number: 1 });
    for (const status of [409, 412] as const) double().faults.PUT.push(status);
    expect(await claim(store, { release: idOf(2), manifestSha256: SHA }, always)).toMatchObject({ number: 2 });
    double().faults.LIST.push('stale');
    expect(await claim(store, { release: idOf(3), manifestSha256: SHA }, always)).toMatchObject({
      number: 3,
      parent: idOf(2),
    });
  });

  it('to keep what is there does not fence', async () => {
    double().conditional = false;
    expect(await fences(s3())).toBe(false);
  });
});
