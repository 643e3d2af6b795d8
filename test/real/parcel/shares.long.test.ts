import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { boxesMeet, boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { served, storedParcels } from '../../agreement/parcels.ts';
import { type Polygonal, toGeoJSON } from '../../oracle/geojson.ts';
import { isValid } from '../../oracle/geometry.ts';
import { coveredShare, area as straightArea } from '../../oracle/overlap.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';

if (!present) console.warn(MISSING);

/** Zones of a special flood hazard area; all other letters lie outside. */
const HAZARD = /^(A|V)/;
/** Least share that is neither rounded to zero nor within what two ways of measuring differ by. */
const ROUNDING = 6e-5;

/** A layer whose values have shares of a parcel: what each attribute is called. */
interface Shared {
  readonly dataset: string;
  readonly layer: string;
  readonly column: string;
  readonly shares: string | null;
  readonly majority: string;
}
const FLOOD: Shared = {
  dataset: 'fema_nfhl',
  layer: 'S_FLD_HAZ_AR',
  column: 'FLD_ZONE',
  shares: 'parcel_fema_flood_zone_raw',
  majority: 'parcel_fema_flood_zone',
};
/** Reasons for which nothing is known of the parcel, whatever lies on it. */
const UNKNOWN = /was rejected|outside the coverage/i;

/** What the test reads of a match. */
interface Match {
  readonly fields: Readonly<Record<string, string | null>>;
  readonly enrichment: {
    readonly fields: Readonly<
      Record<string, { value: unknown; status: string; confidence: string; notes: string | null }>
    >;
  };
}

const ZONING: Shared = { dataset: 'local_zoning', layer: 'main', column: 'ZONE', shares: null, majority: 'zoning' };

describe.skipIf(!present).each([
  ['bangor-me', 'ME', [FLOOD, ZONING]],
  ['forest-city-nc', 'NC', [ZONING]],
  ['washington-dc', 'DC', [FLOOD]],
] as const)('shares of every parcel of %s', (name, state, layers) => {
  const home = mkdtempSync(join(tmpdir(), 'plat-shares-'));
  let service: Awaited<ReturnType<typeof served>>;
  let polygons: Map<Shared, { value: string | null; geometry: Geometry; box: readonly number[] }[]>;

  beforeAll(async () => {
    const place = builtInPlace(name);
    const wanted = ['parcel_store', ...layers.map(({ dataset }) => dataset)];
    const own = { ...place, layers: place.layers.filter(({ dataset }) => wanted.includes(dataset)) };
    await run({ home, sources: SOURCES, place: own, threads: 0, progress: SILENT });
    await runOverlay({ home, catalog: { ...catalog, fields: new Map() }, threads: 1, memoryMb: 512, progress: SILENT });
    const release = openRelease(home);
    polygons = new Map(
      layers.map(shared => {
        const files = release
          .layer(shared.dataset, shared.layer)!
          .partitions.map(p => release.pathOf(p.files.find(f => f.role === 'features')!));
        return [
          shared,
          files.flatMap(path => {
            const file = new FeatureFile(path);
            return Array.from({ length: file.count }, (_, i) => {
              const geometry = file.geometry(i);
              const value = file.properties(i)[shared.column];
              return {
                value: typeof value === 'string' && value !== '' ? value : null,
                geometry,
                box: boxOf(geometry),
              };
            });
          }),
        ];
      }),
    );
    service = await served(home);
  }, 600_000);
  afterAll(async () => {
    await service?.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('lists every value of a square metre and more, and fields about one thing agree', {
    timeout: 3_600_000,
  }, async () => {
    const parcels = await storedParcels(home);
    const names = layers.flatMap(({ shares, majority }) => (shares ? [shares, majority] : [majority]));
    const seen = { listed: 0, doubted: 0, hazard: 0, majority: 0 };
    let cursor: string | null = null;
    let ord = 0;
    do {
      const page: { matches: Match[]; next_cursor: string | null } = await service.ask('/v1/search', {
        filters: [{ field: 'state', op: 'eq', value: state }],
        fields: names,
        enrich: true,
        limit: 100,
        ...(cursor === null ? {} : { cursor }),
      });
      for (const { fields, enrichment } of page.matches) {
        const { geometry, box } = parcels[ord++]!;
        const mask = toGeoJSON(geometry) as Polygonal;
        if (!isValid(geometry)) continue;
        const whole = straightArea(mask);
        for (const [shared, all] of polygons) {
          const near = all.filter(one => boxesMeet(one.box as never, box as never));
          if (!near.every(one => isValid(one.geometry))) continue;
          const byValue = Map.groupBy(
            near.filter(one => one.value !== null),
            one => one.value!,
          );
          const truth = new Map(
            [...byValue].map(([value, own]) => [
              value,
              coveredShare(
                mask,
                own.map(one => one.geometry),
              ),
            ]),
          );
          const message = `${shared.dataset} of parcel ${ord - 1}: ${JSON.stringify([...truth])}`;
          const most = [...truth].find(([, share]) => share > 0.5 + 1e-6);
          if (
            ![...truth.values()].some(share => Math.abs(share - 0.5) < 1e-6) &&
            !UNKNOWN.test(enrichment.fields[shared.majority]!.notes ?? '')
          ) {
            expect(fields[shared.majority], message).toBe(most ? most[0] : null);
            seen.majority += most ? 1 : 0;
          }
          if (!shared.shares) continue;
          const record = enrichment.fields[shared.shares]!;
          if (UNKNOWN.test(record.notes ?? '')) continue;
          const told = new Map(
            String(record.value ?? '')
              .split(';')
              .filter(part => part !== '')
              .map(
                part => [part.slice(0, part.lastIndexOf(':')), Number(part.slice(part.lastIndexOf(':') + 1))] as const,
              ),
          );
          for (const [value, share] of truth) {
            if (Math.abs(share * whole - 1) < 0.01) continue;
            expect(told.has(value), `${message} ${value}`).toBe(share * whole > 1);
            if (!told.has(value)) continue;
            expect(Math.abs(told.get(value)! - share), message).toBeLessThan(ROUNDING);
            expect(told.get(value), message).toBeGreaterThan(0);
            seen.listed++;
          }
          if (/may not be there/.test(record.notes ?? '')) {
            expect(record.confidence).toBe('low');
            seen.doubted++;
          }
          const fraction = enrichment.fields.parcel_flood_sfha_fraction!;
          if (fraction.status !== 'ok') continue;
          const hazard = [...told].filter(([value]) => HAZARD.test(value)).reduce((sum, [, share]) => sum + share, 0);
          // Each value may be rounded by half a step, and miss a square metre.
          const slack = (truth.size + 1) * ROUNDING + truth.size / whole;
          expect(Math.abs(Number(fraction.value) - hazard), message).toBeLessThan(slack);
          seen.hazard += Number(fraction.value) > 0 ? 1 : 0;
        }
      }
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ord).toBe(parcels.length);
    expect(seen.majority).toBeGreaterThan(50);
    if (layers.some(({ shares }) => shares)) {
      expect(seen.listed).toBeGreaterThan(100);
      expect(seen.doubted).toBeGreaterThan(0);
    }
    if (name === 'bangor-me') expect(seen.hazard).toBeGreaterThan(100);
  });
});
