import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import { builtInPlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { Random } from '../../../pipelines/world/random.ts';
import { buildableGround } from '../../../query/buildable/buildable.ts';
import type { Exclusion } from '../../../query/buildable/request.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { countiesOf } from '../../../query/search/predicate/counties.ts';
import { toGeoJSON } from '../../oracle/geojson.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { BUDGET } from '../../query/search/agreement.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';

if (!present) console.warn(MISSING);

/** Parcels of each place: a thousand and more of all. */
const PARCELS = 340;
/** Metres from the boundary of the parcel. */
const BOUNDARY_M = 5;

const exclusion = (dataset: string, layer: string, setback: number, where?: string): Exclusion => ({
  ...{ name: `${dataset}:${layer}`, dataset, layer, setback },
  where: where === undefined ? null : parseCondition(where),
});
/** Areas, lines and points, with metres about them and without; those that a place lacks are left out there. */
const EXCLUSIONS: readonly Exclusion[] = [
  exclusion('fema_nfhl', 'S_FLD_HAZ_AR', 15, "SFHA_TF = 'T'"),
  exclusion('usfws_nwi', 'main', 30),
  exclusion('usgs_nhdplus_hr', 'NHDFlowline', 20),
  exclusion('census_tiger', 'roads', 12),
  exclusion('fema_usa_structures', 'main', 8),
  exclusion('bts_ntad', 'narn', 25),
  exclusion('eia_atlas', 'transmission_lines', 30),
];

/** Metres of the plane about a parcel in which PostGIS draws: azimuthal equidistant, of PROJ. */
const planeAbout = ([lng, lat]: readonly [number, number]) =>
  `+proj=aeqd +lat_0=${lat} +lon_0=${lng} +datum=WGS84 +units=m +no_defs`;

/** Puts the features of a layer that count into a table of PostGIS, a row each; edges are straight in degrees, so long ones get vertices. */
async function copyLayer(client: pg.Client, release: Release, one: Exclusion): Promise<void> {
  const layers = new Layers(release, createCache(256));
  for (const partition of release.layer(one.dataset, one.layer)!.partitions) {
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++)
      if (!one.where || file.properties(i).SFHA_TF === 'T')
        await client.query(
          'insert into features select $1, st_segmentize(st_setsrid(st_geomfromgeojson($2), 4326), 0.0005)',
          [one.name, JSON.stringify(toGeoJSON(file.geometry(i)))],
        );
  }
}

/**
 * The parcel less its edge and less what lies within each setback of a feature, drawn in the plane about it; square metres of the
 * ellipsoid. The edge is drawn about the boundary: GEOS 3.11 calls some narrow grounds empty where it shrinks them.
 */
const LEFT = `
  with parcel as (select st_setsrid(st_geomfromgeojson($1), 4326) as shape),
  ground as (select st_transform(shape, $2) as shape from parcel),
  near as (
    select st_buffer(st_transform(st_makevalid(features.shape), $2), setbacks.metres, 'quad_segs=32') as shape
    from features join unnest($3::text[], $4::float8[]) as setbacks (layer, metres) on features.layer = setbacks.layer, parcel
    where st_dwithin(features.shape::geography, parcel.shape::geography, setbacks.metres + 1)
  ),
  taken as (
    select shape from near
    union all select st_buffer(st_boundary(shape), $5::float8, 'quad_segs=32') from ground
  ),
  rest as (select st_difference(ground.shape, (select st_union(shape) from taken)) as shape from ground)
  select st_area(parcel.shape::geography) as whole,
    st_area(st_transform(st_setsrid(rest.shape, 0), $2, 4326)::geography) as area
  from rest, parcel`;

describe.runIf(present)('buildable ground', { tags: ['PostGIS'] }, () => {
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
  }, 120_000);
  afterAll(() => cluster?.drop());

  async function homeOf(name: string): Promise<{ readonly home: string; remove(): void }> {
    if (name === synthetic.name) return { home: (await syntheticHome()).home, remove: () => undefined };
    const home = mkdtempSync(join(tmpdir(), `plat-${name}-`));
    await run({ home, sources: SOURCES, place: builtInPlace(name), threads: 2, progress: SILENT });
    return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
  }

  it.each(['bangor-me', 'washington-dc', synthetic.name])(
    'of 340 parcels of %s has the area that PostGIS draws, within 0.1 % of the parcel and 1 m²',
    async name => {
      const place = await homeOf(name);
      const client = new pg.Client({ connectionString: await cluster.database() });
      try {
        const release = openRelease(place.home);
        const cache = createCache(256);
        await client.connect();
        await client.query('create extension postgis');
        await client.query('create table features (layer text, shape geometry)');
        const exclusions = EXCLUSIONS.filter(({ dataset, layer }) => release.layer(dataset, layer));
        for (const one of exclusions) await copyLayer(client, release, one);
        await client.query('create index on features using gist ((shape::geography))');
        await client.query('analyze features');
        const random = new Random(59);
        const wrong: string[] = [];
        const counts = { whole: 0, part: 0, none: 0 };
        let asked = 0;
        for (const { partition } of countiesOf(release)) {
          const { file } = await new Layers(release, cache).features(partition);
          const rows = Array.from({ length: Math.min(PARCELS, file.count) }, () =>
            Math.floor(random.next() * file.count),
          );
          for (const row of new Set(rows)) {
            if (asked === PARCELS) break;
            const id = parcelId(String(file.properties(row).parcel_key));
            const answer = await buildableGround(
              {
                ...{ filters: [], outputs: [], countyByFips: false, budget: BUDGET, ground: { parcelId: id } },
                ...{ exclusions, boundarySetback: BOUNDARY_M, minWidth: 0, minPiece: 0, shapes: false },
              },
              { release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false },
            );
            if (!('gross' in answer)) throw new Error(JSON.stringify(answer));
            // What is not known of a parcel's ground is no number to compare.
            if (answer.area === null) continue;
            asked++;
            const shape = file.geometry(row);
            const { rows: said } = await client.query<{ whole: number; area: number }>(LEFT, [
              JSON.stringify(toGeoJSON(shape)),
              planeAbout([shape.xy[0]!, shape.xy[1]!]),
              exclusions.map(one => one.name),
              exclusions.map(({ setback }) => setback),
              BOUNDARY_M,
            ]);
            const { whole, area } = said[0]!;
            counts[area === 0 ? 'none' : area > 0.99 * whole ? 'whole' : 'part']++;
            if (Math.abs(answer.area - area) > 1 + 0.001 * whole)
              wrong.push(`${id}: ${answer.area}, but ${area} of ${whole}`);
          }
        }
        console.log(name, exclusions.length, asked, counts);
        expect(wrong).toEqual([]);
        expect(asked).toBeGreaterThan(200);
        expect(counts.part).toBeGreaterThan(50);
      } finally {
        await client.end();
        place.remove();
      }
    },
    900_000,
  );
});
