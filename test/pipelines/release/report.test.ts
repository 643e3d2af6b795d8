import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { releaseShowCommand } from '../../../pipelines/commands/release/show.ts';
import { Journal, runOf } from '../../../pipelines/refresh/journal.ts';
import { runPathOf } from '../../../query/release/home/beside.ts';
import { prune } from '../../../query/release/home/prune.ts';
import { readManifest } from '../../../query/release/home/releases.ts';
import { Store } from '../../../query/release/home/store.ts';
import { type Published, Town } from '../../query/changes/town.ts';
import { SILENT } from '../silent.ts';

const town = new Town();
const FIRST: Published = {
  lots: [
    { no: '1 & <b>"2"</b>', column: 0, row: 0 },
    { no: '3', column: 1, row: 0 },
  ],
  wet: [3],
  zone: 'R1',
  population: 150_000,
};
const before = process.env.PLAT_HOME;
let [first, second] = ['', ''];

/** Ingests under a journal, as the command does. */
async function publish(published: Published): Promise<string> {
  const journal = new Journal(town.home, { datasets: [], options: {} });
  journal.begin();
  const task = journal.over(SILENT).start('lots & <others>', 2);
  const release = await town.publish(published);
  task.advance(2);
  task.done('2 rows');
  journal.end('done', release, true);
  return release;
}

beforeAll(async () => {
  first = await publish(FIRST);
  second = await publish({ ...FIRST, lots: [{ ...FIRST.lots[0]!, value: 120 }], population: 151_000 });
  process.env.PLAT_HOME = town.home;
}, 120_000);
afterAll(() => {
  if (before === undefined) delete process.env.PLAT_HOME;
  else process.env.PLAT_HOME = before;
  town.remove();
});

async function page(release: string): Promise<string> {
  const said: string[] = [];
  const terminal = { json: false, interactive: false, out: (line: string) => said.push(line), err: () => {} };
  expect(await releaseShowCommand.run([release], { html: true }, terminal)).toBe(0);
  return said.join('\n');
}

/** The rows of the tables under a heading, cell by cell. */
function tablesOf(html: string, heading: string): string[][] {
  const from = html.indexOf(`<h2>${heading}</h2>`);
  expect(from, heading).toBeGreaterThan(0);
  const section = html.slice(from + 4).split('<h2>')[0]!;
  return [...section.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell!),
  );
}

it('is one page that asks for nothing, in light and dark, whatever texts the release holds', async () => {
  const html = await page(second);
  expect(html).not.toMatch(/<(?:script|link|img|iframe|object)|@import|url\(|\s(?:src|href)=/i);
  expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(html).toContain('prefers-color-scheme:dark');
  expect(html).toContain('lots &amp; &lt;others&gt;');
  // Every tag that is opened is closed, in order.
  const open: string[] = [];
  for (const [, close, tag] of html.replace(/<!doctype html>|<meta[^>]*>/g, '').matchAll(/<(\/?)([a-z]\w*)[^>]*>/g))
    if (close) expect(open.pop()).toBe(tag);
    else open.push(tag!);
  expect(open).toEqual([]);
});

it('tells counts, vintages, quality, sizes and times', async () => {
  const html = await page(second);
  const { datasets, ingests } = readManifest(`${town.home}/releases`, second);
  const layers = tablesOf(html, 'Layers and vintages');
  expect(layers.slice(1).map(([name, rows]) => [name, rows])).toEqual(
    Object.entries(datasets).flatMap(([dataset, of]) =>
      Object.entries(of).map(([layer, { partitions }]) => [`${dataset}:${layer}`, String(partitions[0]!.rows)]),
    ),
  );
  expect(layers[1]).toContain('2026-01-01');
  const quality = tablesOf(html, 'Quality');
  expect(quality.slice(1, 1 + ingests.length).map(row => row[3])).toEqual(ingests.map(({ read }) => String(read)));
  const sizes = tablesOf(html, 'Sizes and times');
  expect(sizes).toContainEqual(['lots &amp; &lt;others&gt;', '2', expect.stringMatching(/^\d+\.\d$/)]);
  expect(html).toContain('1 parcels');
});

it('draws what is covered, each shape with its places and layers', async () => {
  const svg = /<svg.*<\/svg>/s.exec(await page(second))![0];
  const shapes = [...svg.matchAll(/<path d="M([\d L]+)Z"><title>(.*?)<\/title>/g)];
  // The boundary of the town, which all layers of it share.
  expect(shapes).toHaveLength(1);
  expect(shapes[0]![2]).toMatch(/^town: \d layers: .*parcel_store:main/);
  const [width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1).map(Number);
  for (const point of shapes[0]![1]!.split('L')) {
    const [x, y] = point.split(' ').map(Number);
    expect(x! >= 0 && x! <= width! && y! >= 0 && y! <= height!, point).toBe(true);
  }
  // A square of degrees is narrower than it is high in Maine.
  expect(width! / height!).toBeCloseTo(Math.cos((44.1 * Math.PI) / 180), 1);
});

it('tells what changed against the release before, while that is kept', async () => {
  expect(tablesOf(await page(second), 'Changes against the release before')).toEqual([
    ['Layer', 'Rows added', 'Removed', 'Changed'],
    ['census_pep:main', '0', '0', '1'],
    ['parcel_store:main', '0', '1', '1'],
  ]);
  expect(await page(first)).toContain('It is the first release.');
  expect(runOf(town.home, first)).toMatchObject({ state: 'done', outcome: first });
  await prune(new Store(town.home), 0, false);
  expect(await page(second)).toContain(`Release ${first} is not kept.`);
  expect(existsSync(runPathOf(town.home, first))).toBe(false);
});
