// QGIS from Debian over a real server: opens parcels, sets filters, draws them. What it keeps is what a plain loop over all
// parcels keeps, and where its picture has color there are parcels. Bookworm's 3.22 filters by itself and wants a header from a
// program; trixie's 3.40 sends filters as CQL2 and has a setting for the header. QGIS_PYTHON names the Python of another one.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Value } from '../../../datasets/dataset.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import { type OgcServer, ogcServer } from './server.ts';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('desktop.py', import.meta.url));

interface Feature {
  readonly id: string;
  readonly geometry: Polygonal;
  readonly properties: Readonly<Record<string, Value>>;
}
interface Seen {
  readonly version: number;
  readonly header: boolean;
  readonly valid: boolean;
  readonly crs: string;
  readonly all: number;
  readonly filters: readonly { readonly taken: boolean; readonly ids: string[]; readonly sent: string[] }[];
  readonly drawn: { readonly box: Box; readonly ids: string[]; readonly sent: string[] };
  readonly view: Box;
  readonly red: readonly (readonly [number, number])[];
}
type Box = readonly [west: number, south: number, east: number, north: number];

/** Whether a point lies in the rings of a geometry, by the crossings of a ray. */
function covers(feature: Feature, x: number, y: number): boolean {
  const { xy, ends } = fromGeoJSON(feature.geometry);
  let inside = false;
  for (const [ring, end] of ends.entries())
    for (let i = ring === 0 ? 0 : ends[ring - 1]!; i < end - 1; i++) {
      const [x0, y0, x1, y1] = [xy[2 * i]!, xy[2 * i + 1]!, xy[2 * i + 2]!, xy[2 * i + 3]!];
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    }
  return inside;
}
function boxOf({ geometry }: Feature): Box {
  const { xy } = fromGeoJSON(geometry);
  const [xs, ys] = [xy.filter((_, i) => i % 2 === 0), xy.filter((_, i) => i % 2 === 1)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Filters as QGIS writes them, what they keep, and the CQL2 that QGIS makes of them; the area is made of the middle parcel. */
const FILTERS: readonly [filter: string, keeps: (properties: Feature['properties']) => boolean, cql: RegExp][] = [
  [`"acreage" > 5`, ({ acreage }) => acreage !== null && Number(acreage) > 5, /acreage > 5/],
  [
    `"zoning" IN ('R1','RR','C')`,
    ({ zoning }) => ['R1', 'RR', 'C'].includes(String(zoning)),
    /zoning IN \('R1','RR','C'\)/,
  ],
  [`"owner" LIKE '%AN%'`, ({ owner }) => String(owner ?? '').includes('AN'), /owner LIKE '%AN%'/],
  [
    `"owner" ILIKE '%an%'`,
    ({ owner }) =>
      String(owner ?? '')
        .toLowerCase()
        .includes('an'),
    /CASEI\(owner\) LIKE CASEI\('%an%'\)/,
  ],
  [
    `"acreage" > 5 AND NOT "owner" LIKE '%AN%'`,
    ({ acreage, owner }) => Number(acreage ?? 0) > 5 && owner !== null && !String(owner).includes('AN'),
    /acreage > 5.*AND.*NOT.*owner LIKE '%AN%'/i,
  ],
];

describe('QGIS', { tags: ['QGIS', 'Debian-Python'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-qgis-'));
  const picture = join(folder, 'map.png');
  let server: OgcServer;
  let parcels: readonly Feature[];
  let area: Box;
  let seen: Seen;

  beforeAll(async () => {
    server = await ogcServer();
    const headers = { authorization: `Bearer ${server.token}` };
    const all = await fetch(`${server.base}/collections/parcels/items?limit=1000`, { headers });
    parcels = ((await all.json()) as { features: Feature[] }).features;
    const [west, south, east, north] = boxOf(parcels[100]!);
    area = [west - 0.002, south - 0.002, east + 0.002, north + 0.002];
    const [w, s, e, n] = area;
    const ring = `POLYGON((${w} ${s}, ${e} ${s}, ${e} ${n}, ${w} ${n}, ${w} ${s}))`;
    const drawn = `intersects_bbox($geometry, geom_from_wkt('${ring}'))`;
    writeFileSync(join(folder, 'filters'), [...FILTERS.map(([filter]) => filter), drawn].join('\n'));
    const python = process.env.QGIS_PYTHON ?? '/usr/bin/python3';
    const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder };
    const { stdout } = await run(python, [SCRIPT, server.base, server.token, picture, join(folder, 'filters')], {
      env,
      maxBuffer: 1 << 26,
      timeout: 150_000,
    });
    seen = JSON.parse(/^SEEN (.*)$/m.exec(stdout)![1]!);
  }, 180_000);
  afterAll(async () => {
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whether this QGIS leaves filters to the server (since 3.36). */
  const sendsFilters = () => seen.version >= 33_600;
  const askedFor = (sent: readonly string[]) => sent.map(url => new URL(url).searchParams.get('filter') ?? '');

  it('opens all parcels with a token', () => {
    expect([seen.valid, seen.all]).toEqual([true, parcels.length]);
    expect(['EPSG:4326', 'OGC:CRS84']).toContain(seen.crs);
    expect(seen.header).toBe(sendsFilters());
  });

  it.each(FILTERS.map((one, i) => [one[0], i] as const))('keeps those of %s', (_, i) => {
    const [, keeps, cql] = FILTERS[i]!;
    const { taken, ids, sent } = seen.filters[i]!;
    const wanted = parcels.filter(({ properties }) => keeps(properties)).map(({ id }) => id);
    expect(wanted.length).toBeGreaterThan(0);
    expect(taken).toBe(true);
    expect(ids).toEqual(wanted.sort());
    if (sendsFilters())
      expect(
        askedFor(sent).some(filter => cql.test(filter)),
        sent.join('\n'),
      ).toBe(true);
  });

  /** Parcels of which a corner lies in a box, and those whose box meets it: what meets the box is all of these and none but those. */
  function expectMet(ids: readonly string[], [west, south, east, north]: Box): void {
    const inBox = parcels.filter(({ geometry }) => {
      const { xy } = fromGeoJSON(geometry);
      return xy.some((x, i) => i % 2 === 0 && x >= west && x <= east && xy[i + 1]! >= south && xy[i + 1]! <= north);
    });
    const near = parcels.filter(parcel => {
      const [w, s, e, n] = boxOf(parcel);
      return w <= east && e >= west && s <= north && n >= south;
    });
    expect(inBox.length).toBeGreaterThan(0);
    expect(near.length).toBeLessThan(parcels.length);
    for (const { id } of inBox) expect(ids).toContain(id);
    expect(ids.filter(id => !near.some(parcel => parcel.id === id))).toEqual([]);
  }

  it('keeps those that meet an area of a filter', () => {
    const { taken, ids, sent } = seen.filters.at(-1)!;
    expect(taken).toBe(true);
    expectMet(ids, area);
    if (sendsFilters())
      expect(
        askedFor(sent).some(filter => /^\(?S_INTERSECTS\(geometry,BBOX\(/i.test(filter)),
        sent.join('\n'),
      ).toBe(true);
  });

  it('asks for the part of the map alone that it draws', () => {
    expectMet(seen.drawn.ids, seen.drawn.box);
  });

  it('draws parcels where they are, and nothing elsewhere', () => {
    expect(statSync(picture).size).toBeGreaterThan(1_000);
    const [west, south, east, north] = seen.view;
    const at = ([x, y]: readonly [number, number]) =>
      [west + ((x + 0.5) / 400) * (east - west), north - ((y + 0.5) / 400) * (north - south)] as const;
    const isRed = new Set(seen.red.map(String));
    let [inside, agree] = [0, 0];
    for (let y = 0; y < 400; y += 4)
      for (let x = 0; x < 400; x += 4) {
        const [lng, lat] = at([x, y]);
        const isCovered = parcels.some(parcel => covers(parcel, lng, lat));
        inside += Number(isCovered);
        agree += Number(isCovered === isRed.has(String([x, y])));
      }
    expect(inside).toBeGreaterThan(1_000);
    // Outlines are drawn in another color.
    expect(agree / 10_000).toBeGreaterThan(0.85);
  });
});
