import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { Answer } from '../../../query/evaluate/answer.ts';
import { createFixture, type Fixture } from '../release-fixture.ts';
import {
  askAll,
  askNow,
  datasets,
  goodBytes,
  NAMES,
  pathOf,
  release,
  repair,
  seeded,
  spoilings,
  TARGETS,
} from '../spoiling.ts';

const LONG = process.env.PLAT_TEST === 'long';
/** Rounds of all spoilings of all files. */
const ROUNDS = LONG ? 40 : 1;
const WORKERS = 2;
/** Of the engines that stand side by side, one for each kind of file. */
const OWN_WORKERS = LONG ? WORKERS : 1;

type Steady = Record<string, Omit<Answer, 'fetchedAt'>>;

/** A release, an engine that serves it, and what it answers while all is whole. */
async function served(workers: number) {
  const fixture = await createFixture(datasets, release());
  const engine = await createEngine({
    home: fixture.home,
    workers,
    queue: 9,
    memoryMb: 64,
    catalog: fixture.catalog,
  });
  return { fixture, engine, good: goodBytes(fixture), before: (await askAll(engine, 1))[0]! };
}

let fixture: Fixture;
let engine: Engine;
let before: Steady;
let good: Map<string, Buffer>;
beforeAll(async () => {
  ({ fixture, engine, good, before } = await served(WORKERS));
});
afterAll(async () => {
  await engine.close();
  fixture.remove();
});

/** Those fields failed with a fit reason, all others as before. */
function expectFailed(answers: Steady, fields: readonly string[], what: string): void {
  for (const name of NAMES) {
    const answer = answers[name]!;
    if (!fields.includes(name)) expect(answer, `${what}: ${name}`).toEqual(before[name]);
    else {
      expect(answer, `${what}: ${name}`).toMatchObject({ status: 'failed', value: null, retryable: true });
      expect(answer.error, what).toMatch(
        /file [0-9a-f]{12} (is damaged|is missing|cannot be read|was changed)|cannot be read \(\w+\)/,
      );
      expect(answer.error, what).not.toContain(tmpdir());
    }
  }
}

describe('a release damaged while it serves', () => {
  it('answers everything before', () => {
    expect(Object.values(before).map(a => a.status)).toEqual(NAMES.map(() => 'ok'));
    expect(before.people!.value).toBe(1019);
  });

  // Side by side, each over a release of its own: most of the time they wait until files are looked at again.
  it.concurrent.each(TARGETS)(
    '$what: its fields fail with a reason until it is repaired, all others answer',
    async ({ what, at, fields }) => {
      // Of nine spoilings one each, another one of the next file: each is seen a second later.
      const turn = TARGETS.findIndex(target => target.what === what) % 9;
      const own = await served(OWN_WORKERS);
      try {
        const path = pathOf(own.fixture, at);
        const random = seeded(20_261_120);
        for (let round = 0; round < ROUNDS; round++)
          for (const { name, spoil } of spoilings(random).filter((_, i) => LONG || i === turn)) {
            spoil(path, own.good.get(path)!);
            for (const answers of await askAll(own.engine, OWN_WORKERS)) expectFailed(answers, fields, name);
            repair(path, own.good.get(path)!);
            // What was found damaged is looked at again whenever it is wanted, without a wait.
            for (const answers of await askNow(own.engine, OWN_WORKERS))
              expect(answers, `after ${name}`).toEqual(own.before);
          }
      } finally {
        await own.engine.close();
        own.fixture.remove();
      }
    },
    // Forty rounds of nine spoilings, each seen a second later.
    LONG ? 1_800_000 : undefined,
  );

  it('says what is damaged when all is, and comes back whole', async () => {
    for (const [path, bytes] of good) writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
    for (const answers of await askAll(engine, WORKERS)) expectFailed(answers, NAMES, 'everything cut in half');
    for (const [path, bytes] of good) repair(path, bytes);
    expect(await askAll(engine, WORKERS)).toEqual([before, before]);
  });

  it('never gives a wrong value while files are damaged and repaired under it', async () => {
    const random = seeded(77);
    let ended = false;
    let asked = 0;
    const asking = (async () => {
      while (!ended)
        for (const answers of await askNow(engine, WORKERS)) {
          asked++;
          for (const name of NAMES)
            if (answers[name]!.status !== 'failed') expect(answers[name], name).toEqual(before[name]);
        }
    })();
    // A slow machine asks seldom: it goes on until it has asked often enough.
    for (let i = 0; i < Math.max(ROUNDS, 2) * 30 || asked <= 10; i++) {
      const { at } = TARGETS[Math.floor(random() * TARGETS.length)]!;
      const path = pathOf(fixture, at);
      const all = spoilings(random);
      all[Math.floor(random() * all.length)]!.spoil(path, good.get(path)!);
      await new Promise(resolve => setTimeout(resolve, random() * 12));
      repair(path, good.get(path)!);
      await new Promise(resolve => setTimeout(resolve, random() * 12));
    }
    ended = true;
    await asking;
    expect(await askAll(engine, WORKERS)).toEqual([before, before]);
  });
});

describe('files too large to be hashed in a request', () => {
  const record = () => {
    const path = join(fixture.home, 'sound-files');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const open = (inlineBytes = 0) =>
    createEngine({ home: fixture.home, workers: 1, queue: 9, memoryMb: 64, catalog: fixture.catalog, inlineBytes });
  const until = async (engine: Engine, wanted: (answers: Steady) => boolean): Promise<Steady> => {
    for (let i = 0; i < 2_000; i++) {
      const [answers] = await askNow(engine, 1);
      if (wanted(answers!)) return answers!;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    throw new Error('the answers never became what they should');
  };
  const whole = (answers: Steady) => Object.values(answers).every(a => a.status === 'ok');

  it('answer at once where they never were hashed if their format shows damage, others after the check; a restart hashes nothing again', async () => {
    rmSync(join(fixture.home, 'sound-files'), { force: true });
    const first = await open();
    try {
      const [answers] = await askAll(first, 1);
      for (const name of ['fips', 'zone', 'well', 'wells_within']) expect(answers![name]).toEqual(before[name]);
      expect(await until(first, whole)).toEqual(before);
    } finally {
      await first.close();
    }
    const written = record();
    for (const path of good.keys()) expect(written).toContain(`${/[0-9a-f]{64}/.exec(path)![0]} `);
    const second = await open();
    try {
      // Table and raster would wait for the checker if they were hashed again.
      expect(await askAll(second, 1)).toEqual([before]);
    } finally {
      await second.close();
    }
    expect(record()).toBe(written);
  });

  // One file for each reader where the long tests do not run.
  it.each(
    LONG
      ? TARGETS
      : TARGETS.filter(({ what }) => ['Parquet table', 'FlatGeobuf of polygons', 'GeoTIFF'].includes(what)),
  )(
    '$what: is not believed once it was touched, fails while damaged, answers when repaired',
    async ({ at, fields }) => {
      const path = pathOf(fixture, at);
      const bytes = Buffer.from(good.get(path)!);
      const opened = await open();
      try {
        expect(await until(opened, whole)).toEqual(before);
        bytes[bytes.length >> 1]! ^= 4;
        writeFileSync(path, bytes);
        const [first] = await askAll(opened, 1);
        expectFailed(first!, fields, 'touched');
        const later = await until(opened, answers => /checksum/.test(answers[fields[0]]!.error!));
        expectFailed(later, fields, 'checked');
        repair(path, good.get(path)!);
        expect(await until(opened, whole)).toEqual(before);
      } finally {
        repair(path, good.get(path)!);
        await opened.close();
      }
    },
  );

  it('answer at once in a home that was copied where no checker is waited for, as commands ask', async () => {
    for (const path of good.keys()) utimesSync(path, new Date(), new Date('2026-01-02T00:00:00Z'));
    const command = await open(Number.POSITIVE_INFINITY);
    expect(await askNow(command, 1).finally(() => command.close())).toEqual([before]);
  });

  it('found damaged at the start fail as soon as they are checked', async () => {
    rmSync(join(fixture.home, 'sound-files'), { force: true });
    const path = pathOf(fixture, ['dem', 'main', 'raster']);
    const bytes = Buffer.from(good.get(path)!);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(path, bytes);
    const opened = await open();
    try {
      const answers = await until(opened, a => /checksum/.test(a.height!.error ?? '') && a.people!.status === 'ok');
      expectFailed(answers, ['height', 'twice', 'sum'], 'damaged at the start');
    } finally {
      repair(path, good.get(path)!);
      await opened.close();
    }
  });
});
