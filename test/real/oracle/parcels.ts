import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRelease } from '../../../query/release/open-release.ts';
import { area } from '../../oracle/geometry.ts';
import { edgeMetres, Survey, type Surveyed } from '../../oracle/survey.ts';
import { publishedFeatures, readFeatures } from '../published.ts';
import {
  type Asked,
  aboutVertices,
  expectAbsent,
  expectMetres,
  expectValue,
  type LngLat,
  type Subject,
  scattered,
  where,
} from './subject.ts';

interface Assessed {
  readonly apn: string | null;
  readonly address: string | null;
  readonly use: string | null;
  readonly value: number | null;
}

const OF_ROLL = ['parcel_apn', 'parcel_address', 'parcel_land_use', 'parcel_assessed_value_usd'] as const;
const OF_MATCH = ['parcel_area_m2', 'parcel_match_type', 'parcel_match_distance_m'] as const;
/** parcel_zoning is not among them: what no roll publishes is taken from the districts (enrich-only.long.test.ts). */
const UNPUBLISHED = ['parcel_owner', 'parcel_last_sale_date', 'parcel_last_sale_price_usd'];
const FIELDS = [...OF_ROLL, ...OF_MATCH, ...UNPUBLISHED, 'parcel_transaction_count'];

/** A point so close to a limit that a centimetre of projection decides is not asked: metres. */
const DOUBT = 0.02;

/** Rows that join an assessor record: leaving out the others, rights of way, opens gaps between the parcels. */
export const ASSESSED = 'MAP_LOT is not null';

/**
 * parcel_attr. The city's parcels tile it without gaps, so what lies near a parcel and in none is asked where only the
 * assessed ones are mapped.
 * @param kinds least number of points of each kind that must have been compared.
 */
export function parcelFields(
  title: string,
  subject: () => Subject,
  only: 'all' | 'assessed',
  kinds: Readonly<Record<'contains' | 'stacked' | 'nearest' | 'between' | 'none' | 'outside' | 'ground', number>>,
): void {
  describe(title, () => {
    let parcels: Survey<Assessed>;
    let ground: Survey<string>;
    let asked: Asked[];
    beforeAll(async () => {
      const published = publishedFeatures('bangor-me/parcels_with_assessor.shp.zip');
      const ways = new Survey(
        published.filter(r => r.properties.MAP_LOT === null).map(({ geometry }) => ({ geometry, value: null })),
      );
      expect(ways.features).toHaveLength(78);
      const isLot = ({ properties: p }: (typeof published)[number]) => /^[A-Z]?\d+-/.test(String(p.MAPLOTUNIT));
      // Where only assessed lots are mapped, the place skips roads and water as it does the other rows.
      ground = new Survey(
        published
          .filter(row => only === 'all' && !isLot(row))
          .map(({ geometry, properties: p }) => ({ geometry, value: String(p.MAPLOTUNIT) })),
      );
      parcels = new Survey(
        published
          .filter(row => (only === 'all' ? isLot(row) : row.properties.MAP_LOT !== null))
          .map(({ geometry, properties: p }) => ({
            geometry,
            value: {
              apn: p.MAPLOTUNIT as string | null,
              address: p.PROP_ADDRS as string | null,
              use: p.LAND_USE === '0' ? null : (p.LAND_USE as string | null),
              value: p.MAP_LOT === null ? null : (p.VALUE_TOT as number),
            },
          })),
      );
      const boxes = new Map<string, Surveyed<Assessed>[]>();
      for (const f of parcels.features) {
        const key = `${f.box.join(' ')} ${f.geometry.xy.length}`;
        boxes.set(key, [...(boxes.get(key) ?? []), f]);
      }
      const stacks = [...boxes.values()].filter(stack => stack.length > 1);
      expect(stacks.length).toBeGreaterThan(60);
      const middle = ({ box: [w, s, e, n] }: Surveyed<Assessed>): LngLat => [(w + e) / 2, (s + n) / 2];
      const points = [
        ...scattered(subject().city, 120, 61),
        ...aboutVertices(parcels, 120, 0.0002, 62),
        ...aboutVertices(ways, 150, 0.0006, 64),
        ...stacks.map(([first]) => middle(first!)),
        ...parcels.features.filter((_, i) => i % 100 === 0).map(middle),
      ];
      asked = await subject().ask(FIELDS, points);
    });

    it('match by containment, else by nearness, else not at all', () => {
      const seen = { contains: 0, stacked: 0, nearest: 0, between: 0, none: 0, outside: 0, ground: 0 };
      for (const a of asked) {
        const { lng, lat } = a;
        for (const name of UNPUBLISHED) expectValue(a, name, null);
        const absent = (reason: string | RegExp, confidence: string) => {
          for (const name of FIELDS) {
            expectAbsent(a, name, reason);
            expect(a.answers[name]!.confidence, where(a, name)).toBe(confidence);
          }
        };
        if (!subject().city.at(lng, lat).length) {
          seen.outside++;
          absent('no parcel data covers the point', 'low');
          continue;
        }
        const close = parcels.nearest(lng, lat, 36);
        if (close.some(c => edgeMetres(c.feature.geometry, lng, lat) < DOUBT)) continue;
        const holding = close.filter(c => c.metres === 0);
        if (holding.length > 1) {
          seen.stacked++;
          absent(`ambiguous: ${holding.length} parcels contain the point`, 'low');
          continue;
        }
        let match = holding[0];
        if (!match) {
          const [first] = close;
          if (ground.nearest(lng, lat, 1).some(c => edgeMetres(c.feature.geometry, lng, lat) < DOUBT)) continue;
          const [way] = ground.at(lng, lat);
          if (way) {
            seen.ground++;
            absent(
              `the point lies on ${way.value === 'WATER' ? 'water' : 'a road'} of the parcel file (${way.value})`,
              'low',
            );
            continue;
          }
          const limit = Math.min(30, (first?.metres ?? 31) + 5);
          if (close.some(c => Math.abs(c.metres - limit) < DOUBT)) continue;
          const near = close.filter(c => c.metres <= limit);
          if (!near.length) {
            seen.none++;
            absent('no parcel contains the point or lies within 30 m', 'low');
            continue;
          }
          if (near.length > 1) {
            seen.between++;
            absent(/^ambiguous: \d+ parcels lie within 30 m/, 'low');
            continue;
          }
          match = near[0]!;
        }
        const { value } = match.feature;
        expectValue(a, 'parcel_apn', value.apn);
        expectValue(a, 'parcel_address', value.address);
        expectValue(a, 'parcel_land_use', value.use);
        expectValue(a, 'parcel_assessed_value_usd', value.value);
        seen[match === holding[0] ? 'contains' : 'nearest']++;
        expectValue(a, 'parcel_match_type', match === holding[0] ? 'contains' : 'nearest');
        expectMetres(a, 'parcel_match_distance_m', match.metres);
        const squareMetres = area(match.feature.geometry);
        expect(Math.abs((a.answers.parcel_area_m2!.value as number) - squareMetres)).toBeLessThan(
          0.08 + squareMetres * 1e-5,
        );
        expect(a.answers.parcel_apn!.confidence).toBe(match === holding[0] ? 'high' : 'medium');
        for (const name of UNPUBLISHED) expectAbsent(a, name, 'this copy (bangor_parcels) lacks it');
      }
      for (const [kind, least] of Object.entries(kinds))
        expect(seen[kind as 'none'], kind).toBeGreaterThanOrEqual(least);
    });

    it('count their boundary as inside: a corner of several is ambiguous, of one is its own', async () => {
      // The release's own corners, as GDAL reads them: to the last digit those that Plat compares with.
      const releases = join(subject().home, 'releases');
      const layer = openRelease(subject().home).layer('parcel_store', 'main')!;
      const file = layer.partitions[0]!.files.find(f => f.role === 'features')!;
      const stored = new Survey(
        readFeatures(join(releases, file.path)).map(({ geometry, properties: p }) => ({
          key: String(p.parcel_key),
          geometry,
          value: p.apn as string | null,
        })),
      );
      expect(stored.features).toHaveLength(parcels.features.length);
      const seen = { one: 0, several: 0 };
      for (const a of await subject().ask(FIELDS, aboutVertices(stored, 200, 0, 63))) {
        if (!subject().city.at(a.lng, a.lat).length) continue;
        const holding = stored.at(a.lng, a.lat);
        expect(holding.length).toBeGreaterThan(0);
        if (holding.length > 1) {
          seen.several++;
          expectAbsent(a, 'parcel_apn', `ambiguous: ${holding.length} parcels contain the point`);
        } else {
          seen.one++;
          expectValue(a, 'parcel_apn', holding[0]!.value);
          expectValue(a, 'parcel_match_type', 'contains');
          expectValue(a, 'parcel_match_distance_m', 0);
        }
      }
      expect(seen.several).toBeGreaterThan(50);
      if (only === 'assessed') expect(seen.one).toBeGreaterThan(10);
    });
  });
}
