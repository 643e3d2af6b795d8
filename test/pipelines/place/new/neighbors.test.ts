import { describe, expect, it } from 'vitest';
import { areaOf } from '../../../../datasets/acquire.ts';
import { catalog, walk } from '../../../../datasets/catalog.ts';
import { countiesOf } from '../../../../datasets/codes/county-boxes.ts';
import { STATE_FIPS } from '../../../../datasets/codes/state-fips.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { places } from '../../../../datasets/places.ts';
import { groundOf } from '../../../../ingest/acquire/locate.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { outlineOf } from '../../../../pipelines/place/new/county-outline.ts';
import { neighborsOf } from '../../../../pipelines/place/new/neighbors.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import { randomOf } from './conform-rows.ts';

const directory = readDirectory();
const written = (county: string) =>
  newPlace(catalog, places.get('synthetic')!, directory, countyOf(county), {
    ...{ name: null, isOpen: false, answers: null },
    wanted: wantedLayers(catalog, [], []),
  });

/** Kilometres that calls of the catalog look from a point, by layer: those that count or measure, and those that seek. */
const looks = { count: new Map<string, number>(), seek: new Map<string, number>() };
for (const { expression } of catalog.fields.values())
  walk(expression, ({ sources, options: { radius_m: radius, over, max_km: seek } }) => {
    const metres = Number(radius ?? /^radius:([\d.]+)$/.exec(String(over ?? ''))?.[1] ?? 0);
    for (const { dataset, layer } of sources) {
      const name = `${dataset}:${layer}`;
      looks.count.set(name, Math.max(looks.count.get(name) ?? 0, metres / 1000));
      looks.seek.set(name, Math.max(looks.seek.get(name) ?? 0, Number(seek ?? 0)));
    }
  });

/** Layers of the catalog with their declared file. */
const declared = [...catalog.datasets.values()].flatMap(({ id, acquire, layers }) =>
  (acquire.files ?? []).flatMap(source =>
    (source.layers ?? Object.keys(layers)).map(layer => ({
      name: `${id}:${layer}`,
      kind: layers[layer]!.kind,
      source,
    })),
  ),
);

describe('files of the neighbors of a county', () => {
  // Rockingham, NH: Maine on one side, Massachusetts on the other.
  const { place: file, left } = written('33015');
  const place = parsePlace(newPlaceYaml({ place: file, choice: '', left }, directory, 'x.yaml'), 'x.yaml');

  it('are taken of every layer by state or county whose fields look beyond their point, and of no other', () => {
    const found = new Set<string>();
    for (const { name, kind, source } of declared) {
      const own = place.layers.filter(({ dataset, layer }) => `${dataset}:${layer}` === name);
      if (own.length === 0) continue;
      const area = areaOf(source);
      const isByArea = (area === 'state' || area === 'county') && source.ground === undefined && kind === 'vector';
      const looked = Math.max(looks.count.get(name) ?? 0, looks.seek.get(name) ?? 0);
      const others = own.filter(layer => {
        const { state, county } = place.files![layer.file]!;
        return state !== undefined || county !== undefined;
      });
      if (!isByArea || looked === 0) {
        expect(others, name).toEqual([]);
        continue;
      }
      found.add(name);
      expect(others.length, name).toBeGreaterThan(area === 'state' ? 1 : 4);
      for (const { cut, file: path } of own) {
        expect(cut?.whole, path).toBe(true);
        expect(cut!.km!, path).toBeGreaterThanOrEqual(looks.count.get(name) ?? 0);
        // What is not taken so far is told.
        if (cut!.km! < looked) expect(place.unavailable, path).toHaveProperty([`${name} beyond ${cut!.km} km`]);
      }
    }
    expect(found).toContain('census_lodes:main');
    expect(found).toContain('census_tiger:roads');
    expect(found.size).toBeGreaterThanOrEqual(7);
  });

  it('are those of the neighbors', () => {
    const urls = publishedFiles(place).map(({ located }) => located.url);
    for (const path of [
      'lodes/LODES8/me/me_xwalk.csv.gz',
      'lodes/LODES8/ma/wac/ma_wac_S000_JT00_{year}.csv.gz',
      'ROADS/tl_{year}_23031_roads.zip',
      'TABBLOCK20/tl_{year}_25_tabblock20.zip',
      'State-Downloads/MA_geopackage_wetlands.zip',
      'STRUCT_Maine_State_GDB.zip',
    ])
      expect(
        urls.filter(url => url.endsWith(path)),
        path,
      ).not.toEqual([]);
    expect(urls.filter(url => url.endsWith('VT_geopackage_wetlands.zip'))).toEqual([]);
    const wetlands = place.layers.filter(({ dataset }) => dataset === 'usfws_nwi').map(({ options }) => options!.layer);
    expect(wetlands.sort()).toEqual(['MA_Wetlands', 'ME_Wetlands', 'NH_Wetlands']);
  });

  it('reach as far as counts and shares, in every layer that is taken by ground', () => {
    for (const { name, source } of declared)
      if (source.ground !== undefined) expect(source.ground, name).toBeGreaterThanOrEqual(looks.count.get(name) ?? 0);
  });

  it('are all of whose ground lies within the distance, and of few others', () => {
    const counties = countiesOf().filter(county => outlineOf(county) !== null);
    const random = randomOf(64);
    for (let i = 0; i < 6; i++) {
      const county = counties[Math.floor(random() * counties.length)]!;
      const km = Math.round(random() * 120);
      const state = Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!))!;
      const [west, south, east, north] = groundOf(county, state, km);
      const found = new Set(neighborsOf({ county, state, name: null }, km).map(one => one.county));
      expect(found).not.toContain(county);
      for (const other of counties) {
        const { xy } = outlineOf(other)!;
        const reaches = (margin: number) => {
          for (let at = 0; at < xy.length; at += 2)
            if (xy[at]! >= west - margin && xy[at]! <= east + margin)
              if (xy[at + 1]! >= south - margin && xy[at + 1]! <= north + margin) return true;
          return false;
        };
        if (other !== county && reaches(0)) expect(found, `${other} about ${county}`).toContain(other);
        // Straight borders of the west have no vertex for a degree.
        if (found.has(other)) expect(reaches(1), `${other} about ${county}`).toBe(true);
      }
    }
  });
});
