import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import type { Structure } from '../../../query/structures/request.ts';
import { toGeoJSON } from '../../oracle/geojson.ts';
import { rectangle } from '../../query/release-fixture.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { type Bangor, ingestBangor, MISSING, present } from '../bangor.ts';

if (!present) console.warn(MISSING);

/** West and south of rectangles along the Penobscot and the Kenduskeag. */
const CORNERS = [
  [-68.772, 44.796],
  [-68.766, 44.796],
  [-68.778, 44.802],
  [-68.785, 44.808],
  [-68.76, 44.802],
] as const;
/** Degrees: half a kilometer and a little more. */
const [WIDE, HIGH] = [0.007, 0.005];

describe.runIf(present)('structures of Bangor', { tags: ['PostGIS'] }, () => {
  let bangor: Bangor;
  let cluster: SharedPostgres;
  let engine: Engine;
  beforeAll(async () => {
    cluster = await sharedPostgres();
    bangor = await ingestBangor();
    engine = await createEngine({ home: bangor.home, workers: 1, queue: 100, memoryMb: 256 });
  }, 600_000);
  afterAll(async () => {
    await engine?.close();
    bangor?.remove();
    await cluster?.drop();
  });

  it('lie in the hazard area by the share that PostGIS measures', async () => {
    const found: Structure[] = [];
    for (const corner of CORNERS) {
      const [west, south] = corner;
      const geometry = rectangle([west, south, west + WIDE, south + HIGH]);
      const request = {
        ...{ filters: [], outputs: [], countyByFips: false, ground: { geometry, path: 'geometry' } },
        budget: { batch: 1_000, maxCandidates: 0, maxEvaluated: 0, maxSquareKm: 0 },
      };
      const answer = await engine.structures(request, { deadline: Date.now() + 120_000 });
      if (!('structures' in answer)) throw new Error(JSON.stringify(answer));
      found.push(...answer.structures);
    }
    const release = openRelease(bangor.home);
    const { dataset, layer } = catalog.fields.get('within_floodplain_polygon')!.expression.sources[0]!;
    const layers = new Layers(release, createCache(256));
    const client = new pg.Client({ connectionString: await cluster.database() });
    await client.connect();
    try {
      await client.query('create extension postgis');
      await client.query('create table zones (sfha text, shape geometry)');
      for (const partition of release.layer(dataset, layer)!.partitions) {
        const { file } = await layers.features(partition);
        for (let i = 0; i < file.count; i++)
          await client.query(
            'insert into zones select $1, st_transform(st_setsrid(st_geomfromgeojson($2), 4326), 26919)',
            [String(file.properties(i).SFHA_TF ?? ''), JSON.stringify(toGeoJSON(file.geometry(i)))],
          );
      }
      await client.query('create index on zones using gist (shape)');
      const wrong: string[] = [];
      const counts = { in: 0, out: 0 };
      for (const { geometry, sfha } of found) {
        const { rows } = await client.query<{ share: number | null }>(
          `with house as (select st_transform(st_setsrid(st_geomfromgeojson($1), 4326), 26919) as shape)
           select st_area(st_union(st_intersection(zones.shape, house.shape))) / max(st_area(house.shape)) as share
           from house left join zones on st_intersects(zones.shape, house.shape) and zones.sfha = 'T'`,
          [JSON.stringify(toGeoJSON(geometry))],
        );
        const share = rows[0]!.share ?? 0;
        counts[share > 0 ? 'in' : 'out']++;
        if (sfha.share === null || Math.abs(sfha.share - share) > 0.002) wrong.push(`${sfha.share}, but ${share}`);
      }
      expect(wrong).toEqual([]);
      expect(counts.in).toBeGreaterThan(5);
      expect(counts.out).toBeGreaterThan(100);
    } finally {
      await client.end();
    }
  }, 600_000);
});
