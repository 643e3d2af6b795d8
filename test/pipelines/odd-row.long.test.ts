import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../pipelines/run.ts';
import { PLAT } from '../plat.ts';
import { ended } from './killing.ts';
import { feature, folder, provenance, square, village, writeFiles } from './village.ts';

const [X, Y] = [-68.95, 44.05];
/** Degrees that each row is wide. */
const WIDE = 0.1;

type Vertex = number[];
const polygon = (...rings: Vertex[][]) => feature('Polygon', rings, { pin: 'ROW' });
const closed = (ring: readonly Vertex[]) => [...ring, ring[0]!];
/** A square among many, `across` of them side by side. */
const squareOf = (i: number, across: number, share: number) => {
  const step = WIDE / across;
  return square(X + step * (0.2 + (i % across)), Y + step * (0.2 + Math.floor(i / across)), step * share);
};

function scribble(count: number): Vertex[] {
  let seed = 7;
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, () => [X + WIDE * next(), Y + WIDE * next()]);
}

function spiral(count: number, turns: number): Vertex[] {
  return Array.from({ length: count }, (_, i) => {
    const [angle, reach] = [(2 * Math.PI * turns * i) / count, (WIDE / 2) * (i / count)];
    return [X + WIDE / 2 + reach * Math.cos(angle), Y + WIDE / 2 + reach * Math.sin(angle)];
  });
}

/** Teeth side by side on a bar, of a height each. */
function teeth(count: number, width: number, height: (i: number) => number) {
  const tops = Array.from({ length: count }, (_, i): Vertex[] => {
    const x = X + (WIDE * i) / count;
    return [
      [x, Y],
      [x, Y + height(i)],
      [x + (width * WIDE) / count, Y],
    ];
  }).flat();
  return polygon(closed([...tops, [X + WIDE, Y], [X + WIDE, Y - 0.01], [X, Y - 0.01]]));
}

function hatch(count: number) {
  const there = Array.from(
    { length: count },
    (_, i): Vertex => [X + i * 1e-5 + (i % 2 ? 0.05 : 0), i % 2 ? Y + WIDE : Y],
  );
  const back = there.map(([x, y], i): Vertex => [x! + 1e-6, y! + (i % 2 ? -1e-6 : 1e-6)]).reverse();
  return polygon(closed([...there, ...back]));
}

/** Rows that once stopped an ingest, or took hours or gigabytes. */
const ROWS: Readonly<Record<string, () => object>> = {
  '100,000 holes': () =>
    polygon(square(X, Y, WIDE), ...Array.from({ length: 99_856 }, (_, i) => squareOf(i, 316, 0.6).reverse())),
  '200,000 parts': () =>
    feature(
      'MultiPolygon',
      Array.from({ length: 200_000 }, (_, i) => [squareOf(i, 448, 0.5)]),
      { pin: 'ROW' },
    ),
  'a diagonal hatching of 20,000 vertices': () => hatch(10_000),
  '300,000 spikes without an area': () => teeth(300_000, 0, () => 0.01),
  '300,000 teeth': () => teeth(300_000, 0.4, () => 0.01),
  '300,000 teeth of as many heights': () => teeth(300_000, 0.4, i => 0.005 + ((i * 7919) % 300_007) * 1e-8),
  'a scribble of 10,000 vertices': () => polygon(closed(scribble(10_000))),
  'a scribble of 200,000 vertices': () => polygon(closed(scribble(200_000))),
  'a spiral of 500 turns, open': () => polygon(spiral(50_000, 500)),
  'a spiral that goes back where it came from': () => {
    const there = spiral(50_000, 500);
    return polygon(closed([...there, ...there.map(([x, y]): Vertex => [x! + 5e-5, y!]).reverse()]));
  },
  'holes in a row that touch each other': () =>
    polygon(
      square(X, Y, WIDE),
      ...Array.from({ length: 50_000 }, (_, i) => {
        const [x, y, step] = [X + 0.001 + (i % 250) * 0.0003, Y + 0.001 + Math.floor(i / 250) * 0.0004, 0.0003];
        return closed([
          [x, y],
          [x + step / 2, y + step],
          [x + step, y],
        ]);
      }),
    ),
  'a round of 500,000 vertices': () =>
    polygon(
      closed(
        spiral(500_000, 1).map((_, i) => {
          const angle = (2 * Math.PI * i) / 500_000;
          return [X + 0.05 + 0.05 * Math.cos(angle), Y + 0.05 + 0.05 * Math.sin(angle)];
        }),
      ),
    ),
  'the whole earth': () =>
    polygon(
      closed([
        [-179, -89],
        [179, -89],
        [179, 89],
        [-179, 89],
      ]),
    ),
};

/** The most memory that a process took, megabytes; Linux alone says it. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe('an ingest of 400 parcels, of zones and wetlands goes on with one row among them that is', {
  timeout: 600_000,
}, () => {
  for (const [name, make] of Object.entries(ROWS))
    it(name, async () => {
      const [home, sources] = [folder(), folder()];
      try {
        const lots = Array.from({ length: 400 }, (_, i) =>
          feature('Polygon', [square(-68.99 + (i % 20) * 0.002, 44.01 + Math.floor(i / 20) * 0.002, 0.0019)], {
            pin: `P${i}`,
          }),
        );
        lots.splice(10, 0, make() as (typeof lots)[number]);
        writeFiles(sources, { 'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])], 'lots.geojson': lots });
        const common = {
          file: 'lots.geojson',
          provenance,
          expect: { rejected: 0.5, outside: 1, because: 'one row is odd' },
        };
        const place = {
          ...village,
          layers: [
            { ...common, dataset: 'parcel_store', layer: 'main', columns: { apn: 'pin' }, unpublished: 'rest' },
            { ...common, dataset: 'local_zoning', layer: 'main', columns: { ZONE: 'pin' }, unpublished: ['CONTRACT'] },
            {
              ...common,
              dataset: 'usfws_nwi',
              layer: 'main',
              columns: { ATTRIBUTE: 'pin' },
              unpublished: ['ACRES', 'WETLAND_TYPE'],
            },
          ],
        };
        const file = join(sources, 'village.json');
        writeFileSync(file, JSON.stringify(place));
        const told = ['--sources', sources, '--place-file', file, '--threads', '0', '--accept', 'village', '--json'];
        const child = spawn(PLAT, ['ingest', 'run', ...told], {
          env: { ...process.env, PLAT_HOME: home },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let peak = 0;
        const watch = setInterval(() => {
          peak = Math.max(peak, peakOf(child.pid!));
        }, 100);
        const { code, out, err } = await ended(child);
        clearInterval(watch);
        expect(code, err).toBe(0);
        const { counts, samples } = JSON.parse(out) as RunReport;
        expect(peak).toBeLessThan(1100);
        for (const { read, written, rejected } of counts) {
          expect(read).toBe(401);
          expect(written + rejected).toBe(401);
          expect(rejected).toBeLessThanOrEqual(1);
          // What is left out is named.
          expect(samples.filter(({ action }) => action === 'rejected').length).toBeGreaterThanOrEqual(rejected);
        }
        expect(existsSync(join(home, 'releases')) && readdirSync(join(home, 'releases')).length).toBeGreaterThan(0);
      } finally {
        for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
      }
    });
});
