import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PutBucketLifecycleConfigurationCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runOverlay } from '../../pipelines/overlay/run.ts';
import { TaskBoard } from '../../pipelines/tasks/task-board.ts';
import { manifestText } from '../../query/release/manifest.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { resumeDownload } from '../../query/release/store/download.ts';
import { S3Store } from '../../query/release/store/s3-store.ts';
import { plat } from '../contract/plat.ts';
import { publishedVillage } from '../pipelines/push/published-village.ts';
import { SILENT } from '../pipelines/silent.ts';
import { bareHome, manifestOf } from '../pipelines/workers/bare-home.ts';
import { askOf, startProgram, startWorker } from '../pipelines/workers/worker-process.ts';
import { expectPulled } from '../query/release/pull/pulled-home.ts';
import { md5Of, storeSuite } from '../query/release/store/store-suite.ts';
import { expectSameAnswers, placeIn, useReplicaServers } from '../server/replica-servers.ts';
import { type SharedPostgres, sharedPostgres } from '../server/state/shared-postgres.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { useGateway } from './radosgw.ts';

describe("Ceph's gateway", { tags: ['Ceph'] }, () => {
  const work = mkdtempSync(join(tmpdir(), 'plat-radosgw-'));
  let count = 0;
  const s3 = () => new S3Store(`s3://plat/prefix-${count++}`);
  useGateway('plat');
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  storeSuite('a bucket of Ceph', s3);

  it('refuses what arrives spoilt, and lets a download go on at any byte', async () => {
    const store = s3();
    const path = join(work, 'large');
    const bytes = Buffer.alloc(40_000_003, 'Of many parts where the gateway keeps it.');
    writeFileSync(path, bytes);
    await expect(store.put('files/wrong', path, bytes.length, md5Of(Buffer.from('x')))).rejects.toThrow('BadDigest');
    expect(await store.size('files/wrong')).toBeNull();
    const inParts = new S3Store(`s3://plat/prefix-${count++}`, 5 << 20);
    await expect(
      inParts.put('files/wrong', path, bytes.length, md5Of(Buffer.alloc(bytes.length), 5 << 20)),
    ).rejects.toThrow('BadDigest');
    expect(await inParts.size('files/wrong')).toBeNull();
    await inParts.put('files/large', path, bytes.length, md5Of(bytes, 5 << 20));
    expect((await inParts.read('files/large'))!.equals(bytes)).toBe(true);
    await store.put('files/large', path, bytes.length, md5Of(bytes));
    const object = {
      path: 'files/large',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    };
    for (const there of [0, 1, 4 << 20, bytes.length - 1]) {
      const partial = join(work, `partial-${there}`);
      writeFileSync(partial, bytes.subarray(0, there));
      await resumeDownload(partial, object, { store, signal: new AbortController().signal });
    }
  }, 120_000);

  it('says what is wrong with a bucket or a key', async () => {
    await expect(new S3Store('s3://absent/x').read('y')).rejects.toThrow('the server answers 404 NoSuchBucket');
    const secret = process.env.AWS_SECRET_ACCESS_KEY!;
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    const stranger = s3();
    await expect(stranger.list('releases/')).rejects.toThrow('the server answers 403 SignatureDoesNotMatch');
    await expect(stranger.size('releases/')).rejects.toThrow('the server answers 403');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
  });

  it('lets results of tasks expire by a rule, and nothing else', async () => {
    const store = s3();
    const keys = ['work/aa/a', 'files/aa/a.fgb', 'releases/0000000001.json'];
    for (const key of keys) await store.create(key, Buffer.from('x'));
    const rule = {
      ID: 'work',
      Status: 'Enabled',
      Filter: { Prefix: [store.name.slice('s3://plat/'.length), 'work', ''].join('/') },
      Expiration: { Days: 7 },
    } as const;
    const client = new S3Client({ forcePathStyle: true });
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket: 'plat', LifecycleConfiguration: { Rules: [rule] } }),
    );
    client.destroy();
    while ((await store.size(keys[0]!)) !== null) await pause(500);
    for (const key of keys.slice(1)) expect(await store.size(key)).toBe(1);
  });

  describe('with servers', () => {
    const started = useReplicaServers();

    it('takes a release from the command line and gives it to a replica, which answers as the publisher does', async () => {
      const publisher = join(work, 'publisher');
      cpSync((await syntheticHome()).home, publisher, { recursive: true });
      const store = `s3://plat/replica-${count++}`;
      const home = join(work, 'replica');
      const [a, b] = [await started(publisher), await started(home, { PLAT_RELEASES: store })];
      for (let push = 0; push < 2; push++) {
        if (push > 0) await publishedVillage(publisher, 20);
        expect(plat(publisher, 'release', 'push', '--store', store)).toMatchObject({ status: 0 });
        const { id } = openRelease(publisher);
        await Promise.all([a.answers(id), b.answers(id)]);
        expectPulled(home, id);
        await expectSameAnswers(a, b, placeIn(publisher));
      }
    }, 600_000);
  });

  describe('with workers', { tags: ['PostgreSQL'] }, () => {
    let databases: SharedPostgres;
    beforeAll(async () => {
      databases = await sharedPostgres();
    });
    afterAll(() => databases.drop());

    it('brings them their inputs and takes their results: the release of one process', async () => {
      const store = s3();
      const url = await databases.database();
      const bare = await bareHome(join(work, 'bare'), 1_920);
      const [commanded, coordinated, alone] = ['commanded', 'coordinated', 'alone'].map(name => join(work, name)) as [
        string,
        string,
        string,
      ];
      for (const home of [commanded, coordinated, alone]) cpSync(bare, home, { recursive: true });
      const workers = [1, 2].map(n => startWorker(join(work, `worker-${n}`), url, store.name));
      // The parcels of a county are one range of the command, and eight of the next coordinator.
      const command = ['plat.ts', 'ingest', 'overlay', '--threads', '0', '--queue', url, '--store', store.name];
      const coordinator = startProgram(command, { PLAT_HOME: commanded });
      expect(await coordinator.ended, coordinator.told()).toBe(0);
      const now = new Date(manifestOf(commanded).createdAt);
      const common = { threads: 0, memoryMb: 256, progress: SILENT, now };
      const board = await TaskBoard.open(url, () => {});
      const machines = { board, store, rangeBlocks: 1 };
      await runOverlay({ ...common, home: coordinated, blockParcels: 128, machines }).finally(() => board.close());
      for (const worker of workers) await worker.end();
      await runOverlay({ ...common, home: alone });
      const expected = manifestText(manifestOf(alone));
      for (const home of [commanded, coordinated]) expect(manifestText(manifestOf(home))).toBe(expected);
      const by = await askOf<{ worker: string; tasks: number }>(
        url,
        'select worker, count(*)::int as tasks from plat_ingest.output group by worker',
      );
      expect(by).toHaveLength(2);
      console.log(by.map(({ worker, tasks }) => `${worker}: ${tasks} tasks`).join(', '));
    }, 600_000);
  });
});
