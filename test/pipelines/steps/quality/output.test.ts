import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Place } from '../../../../datasets/place/place.ts';
import { tellBreaches, tellRun } from '../../../../pipelines/commands/run-summary.ts';
import { LogFile } from '../../../../pipelines/log-file.ts';
import { progressOn } from '../../../../pipelines/progress.ts';
import { type Breach, QualityError } from '../../../../pipelines/steps/quality/breach.ts';
import type { Terminal } from '../../../../query/engine/command.ts';
import { inThisProcess } from '../../../in-this-process.ts';
import { PLAT } from '../../../plat.ts';
import { FILES, folder, village, wetlands, writeFiles } from '../../village.ts';
import { buildings, Hamlet, hamlet } from './hamlet.ts';

let at: Hamlet;
beforeEach(() => {
  at = new Hamlet();
});
afterEach(() => {
  vi.useRealTimers();
  for (const path of [at.home, at.sources]) rmSync(path, { recursive: true, force: true });
});

/** A terminal that keeps what it is told. */
function recorder(more: Partial<Terminal> = {}) {
  const said: string[] = [];
  const terminal: Terminal = {
    json: false,
    interactive: false,
    out: line => said.push(line),
    err: line => said.push(line),
    ...more,
  };
  return { said, terminal };
}

/** `plat ingest run` of a place as a process of its own. */
function ingest(place: Place, ...args: string[]) {
  const path = join(at.sources, 'place.json');
  writeFileSync(path, JSON.stringify(place));
  const command = ['ingest', 'run', '--sources', at.sources, '--place-file', path, '--threads', '0', ...args];
  const env = { ...process.env, PLAT_HOME: at.home };
  const { status, stdout, stderr } = spawnSync(PLAT, command, { cwd: tmpdir(), env, encoding: 'utf8' });
  const log = /^Log: (.+)$/m.exec(stderr)?.[1];
  return { status, stdout, lines: stderr.trimEnd().split('\n'), log: log ? readFileSync(log, 'utf8') : null };
}

describe('what an ingest prints', () => {
  it('of breaches fits on a screen; the log that it names has all of them', () => {
    const breaches = Array.from(
      { length: 40 },
      (_, i): Breach => ({
        key: `hamlet/local_zoning:main/nulls/C${i}`,
        file: 'zones.geojson',
        layer: 'local_zoning:main',
        column: `C${i}`,
        rows: i,
        what: `it is not what it was`,
        examples: ['row 1', 'row 2'],
      }),
    );
    const { said, terminal } = recorder();
    const log = new LogFile(at.home, 'ingest-hamlet', new Date('2026-11-23T17:45:12Z'));
    tellBreaches(new QualityError('hamlet', breaches, null), log, terminal);
    expect(said.length).toBeLessThanOrEqual(20);
    expect(said[0]).toBe('hamlet: 40 expectations are not met. Nothing was published.');
    expect(said.slice(1, 4)).toEqual([
      'local_zoning:main, zones.geojson, column C0: it is not what it was',
      '  for example row 1; row 2',
      '  accept it once with --accept hamlet/local_zoning:main/nulls/C0',
    ]);
    expect(said.at(-2)).toBe('… and 105 more such lines in the log');
    expect(said.at(-1)).toBe(`Log: ${join(at.home, 'logs', 'ingest-hamlet-20261123-174512.log')}`);
    const written = readFileSync(said.at(-1)!.slice('Log: '.length), 'utf8');
    for (const { key } of breaches) expect(written).toContain(`--accept ${key}\n`);
  });

  it('of a run with much to say too', async () => {
    const layers = [
      ...Array.from({ length: 12 }, (_, i) => ({ ...wetlands, file: `w${i}.geojson` })),
      ...hamlet.layers,
    ];
    for (let i = 0; i < 12; i++) writeFiles(at.sources, { [`w${i}.geojson`]: FILES['wetlands.geojson'] });
    const report = await at.ingest({ ...hamlet, layers });
    const { said, terminal } = recorder();
    const log = new LogFile(at.home, 'ingest-hamlet');
    tellRun({ ...report, idleFlags: ['hamlet/x'] }, log, terminal);
    expect(said.length).toBeLessThanOrEqual(12);
    expect(said).toContain('… and 34 more such lines in the log');
    expect(said).toContain(
      'fema_usa_structures:main OCC_CLS: 100 rows without a source value stay empty, which otherwise does not fill',
    );
    expect(said.at(-1)).toBe(`published ${report.release}`);
    const text = readFileSync(log.path!, 'utf8');
    expect(text.match(/^rejected: w\d+\.geojson row 3: /gm)).toHaveLength(12);
    expect(text).toContain('usfws_nwi:main  w7.geojson: 6 rows read, 4 stored, 2 rejected (33.3 %), 1 repaired\n');
    expect(text).toContain('  OCC_CLS: 5 % without a value; 100 % of 1900 looked up and found; 100 rows without');
  });

  it('on the way is a line now and then, where no terminal is', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { said, terminal } = recorder();
    const log = new LogFile(at.home, 'ingest-hamlet');
    const progress = progressOn(terminal, log);
    progress.expect(3600);
    for (let second = 0; second < 3600; second++) {
      const task = progress.start(`layer ${second}`, 10);
      vi.advanceTimersByTime(1000);
      task.advance(5);
      task.done('10 read');
    }
    progress.close();
    expect(said.length).toBeGreaterThan(5);
    expect(said.length).toBeLessThanOrEqual(10);
    expect(said[0]).toBe('4 of 3600 done; layer 4: 5 of 10');
    expect(readFileSync(log.path!, 'utf8').match(/: 10 read$/gm)).toHaveLength(3600);
  });

  it('with --json is nothing but the document; the log is written all the same', () => {
    const { said, terminal } = recorder({ json: true });
    const log = new LogFile(at.home, 'ingest-hamlet');
    progressOn(terminal, log).start('a layer', 1).done('1 read');
    expect(said).toEqual([]);
    expect(readFileSync(log.path!, 'utf8')).toBe('a layer: 1 read\n');
  });

  it('goes on without a log where none can be written', () => {
    writeFileSync(join(at.home, 'logs'), 'in the way');
    const log = new LogFile(at.home, 'ingest-hamlet');
    log.add('a line');
    expect([log.path, log.line]).toEqual([null, 'The log could not be written']);
  });
});

describe('plat ingest run', () => {
  it('refuses, says how to accept, and does so once', async () => {
    await at.ingestFirst();
    at.publish(buildings(10, i => ({ taken: i < 5 ? null : '01/02/2020' })));
    const refused = ingest(hamlet);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.lines[0]).toMatch(/^hamlet: 2 expectations are not met\. Nothing was published; release \S+ stays/);
    const flags = refused.lines.flatMap(line => /accept it once with (--accept) (\S+)$/.exec(line)?.slice(1) ?? []);
    expect(flags).toEqual([
      '--accept',
      'hamlet/fema_usa_structures:main/rows',
      '--accept',
      'hamlet/fema_usa_structures:main/nulls/IMAGE_DATE',
    ]);
    expect(refused.log).toContain(refused.lines[1]!);

    const same = { sources: at.sources, placeFile: join(at.sources, 'place.json'), threads: '0' };
    const half = await inThisProcess(at.home, 'ingest run', { ...same, accept: flags[1]!, json: true });
    expect(half.status).toBe(1);
    expect(JSON.parse(half.stdout)).toMatchObject({ published: false, breaches: [{ column: 'IMAGE_DATE', rows: 5 }] });

    const accepted = ingest(hamlet, ...flags);
    expect(accepted).toMatchObject({ status: 0, stdout: expect.stringMatching(/^published /) });
    expect(accepted.lines.filter(line => line.startsWith('accepted: '))).toHaveLength(2);
    const shown = await inThisProcess(at.home, 'release show');
    expect(shown.stdout).toMatch(
      /^accepted on \d{4}-\d\d-\d\d: hamlet\/fema_usa_structures:main\/rows: 10 rows, 2000 in the last/m,
    );
    expect(await at.ingest()).toMatchObject({ changed: false });
  }, 180_000);

  it('leaves the reason in the log too where a file cannot be used', () => {
    rmSync(join(at.sources, 'buildings.geojson'));
    const failed = ingest(hamlet);
    expect([failed.status, failed.lines.length]).toEqual([1, 1]);
    const [name] = readdirSync(join(at.home, 'logs'));
    expect(readFileSync(join(at.home, 'logs', name!), 'utf8')).toContain('1 of 2 files are not in');
    expect(existsSync(join(at.releases, 'current'))).toBe(false);
  });
});

describe('plat ingest plan', () => {
  const sources = folder();
  afterEach(() => rmSync(sources, { recursive: true, force: true }));

  it('lists every file, and names each column that one lacks, keys of joins and headless files too', async () => {
    writeFiles(sources, FILES);
    writeFileSync(join(sources, 'kinds.csv'), 'zone,kind\nldr,town\n');
    writeFileSync(join(sources, 'place.json'), JSON.stringify(joining({ key: 'zone' })));
    const plan = (place: Place) => {
      writeFileSync(join(sources, 'place.json'), JSON.stringify(place));
      return inThisProcess(sources, 'ingest plan', { sources, placeFile: join(sources, 'place.json') });
    };
    const good = await plan(joining({ key: 'zone' }));
    expect([good.status, good.stderr]).toEqual([0, '']);
    expect(good.stdout).toMatch(
      /^3 files:\n {2}zoning\.geojson \(\d+ KiB\) for local_zoning:main\n {2}kinds\.csv .*\n {2}boundary\.geojson .* for coverage\n/m,
    );
    const bad = await plan(joining({ key: 'zoen', to: 'zoning' }, 'k.kin'));
    expect(bad.status).toBe(1);
    expect(bad.stderr.trimEnd().split('\n')).toEqual([
      'local_zoning:main: zoning.geojson: no column "zoning" (nearest: `zone`); the file has zone',
      'local_zoning:main: kinds.csv: no column "kin" (nearest: `kind`), "zoen" (nearest: `zone`); the file has zone, kind',
    ]);
  });
});

/** Zoning joined to a table of kinds. */
function joining(join: { key: string; to?: string }, kind = 'k.kind'): Place {
  const [, zoning] = village.layers;
  return {
    ...village,
    layers: [
      {
        ...zoning!,
        join: { file: 'kinds.csv', prefix: 'k', to: 'zone', ...join },
        columns: { ZONE: 'zone', CONTRACT: kind },
        unpublished: [],
      },
    ],
  };
}
