import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { places } from '../../../datasets/places.ts';
import { initPlace } from '../../../pipelines/place/init/init.ts';
import { extractDate } from '../../../pipelines/place/init/osm-extract.ts';
import { placeYaml } from '../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../pipelines/place/place-schema.ts';
import { filesOfPlace } from '../../../pipelines/steps/acquire.ts';
import { fiveCommands } from '../../pipelines/place/init/five-commands.ts';
import { folder } from '../../pipelines/village.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';
import { compareColumns, SHORTEST, withParcels } from './mapped-columns.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** Share of the mapped columns that must come back. */
const BAR = 0.8;

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const filesOf = (place: Place) => [...filesOfPlace(place).keys()].map(file => join(SOURCES, file));

if (!present) console.warn(MISSING);
describe('place init of real places whose place files are taken away', { tags: ['published-files'] }, () => {
  it('knows three of them', () => {
    expect(withParcels.map(place => place.name)).toEqual(
      expect.arrayContaining(['bangor-me', 'forest-city-nc', 'washington-dc']),
    );
  });

  // Bangor has three times the files of the others, Washington the largest.
  for (const place of withParcels)
    it.runIf(present && (LONG || place.name === 'forest-city-nc'))(
      `brings back four of five mapped columns of ${place.name}`,
      { timeout: 600_000 },
      async () => {
        const { name, state, county } = place;
        const result = await initPlace({ files: filesOf(place), sources: SOURCES, name, state, county });
        const made = parsePlace(placeYaml(result, 'place.yaml'), 'place.yaml');
        const { wanted, right, misses } = compareColumns(place, made);
        console.log(`${name}: ${right} of ${wanted} mapped columns (${((100 * right) / wanted).toFixed(1)} %)`);
        if (misses.length > 0) console.table(misses);
        expect(right / wanted).toBeGreaterThanOrEqual(BAR);
      },
    );

  it('needs no flags where files name the county: Bangor', { timeout: 300_000 }, async () => {
    const files = ['parcels_with_assessor.shp.zip', 'flood_zones.geojson.gz'].map(f => join(SOURCES, 'bangor-me', f));
    const { area } = await initPlace({ files, sources: SOURCES, name: 'bangor-me', state: null, county: null });
    expect([area.state, area.county]).toEqual(['ME', '23019']);
    const counties = join(SOURCES, 'national/counties_20m.geojson.gz');
    const town = join(SOURCES, 'forest-city-nc/parcels.topojson');
    const other = await initPlace({ files: [town, counties], sources: SOURCES, name: null, state: null, county: null });
    expect([other.area.state, other.area.county, other.area.countyName]).toEqual(['NC', '37161', 'Rutherford']);
  });

  it('knows what is read of an OpenStreetMap extract', { timeout: 300_000 }, async () => {
    const files = [join(SOURCES, 'osm/baltimore.osm.pbf')];
    const result = await initPlace({ files, sources: SOURCES, name: 'baltimore-md', state: 'MD', county: '24510' });
    const { layers } = parsePlace(placeYaml(result, 'place.yaml'), 'place.yaml');
    const roads = layers.find(l => l.dataset === 'osm_roads')!;
    expect([roads.layer, roads.options]).toEqual(['road_graph', { layer: 'road' }]);
    // Every tag by its own name, also those that this extract has nowhere.
    expect(roads.columns).toMatchObject({
      highway: 'highway',
      'restriction:motorcar': 'restriction:motorcar',
      to: 'to',
    });
    expect(layers.map(l => `${l.dataset}:${l.layer}`).sort()).toEqual(['osm_power:substation', 'osm_roads:road_graph']);
    // The header of this extract has no timestamp; that of Liechtenstein has one.
    expect(roads.provenance).toMatchObject({
      publisher: 'OpenStreetMap contributors',
      licence: 'ODbL 1.0',
      vintage: 'not stated',
    });
    expect(await extractDate(join(SOURCES, 'osm/liechtenstein.osm.pbf'))).toBe('2015-07-27');
  });

  // The other places take minutes: place-init.long.test.ts.
  it('goes from the files of the smallest to a checked release in five commands', { timeout: 600_000 }, async () => {
    const place = places.get(SHORTEST)!;
    const done = await fiveCommands(filesOf(place), {
      home,
      sources: SOURCES,
      out: join(home, `${SHORTEST}.yaml`),
      init: { county: place.county, name: place.name },
    });
    expect(done.run.answer).toMatchObject({ changed: true, place: SHORTEST });
  });
});
