import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countyBox } from '../../../datasets/codes/county-boxes.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Place } from '../../../datasets/place/place.ts';
import { countyParcels, templateOf, templates } from '../../../datasets/templates.ts';
import { documentedColumns } from '../../../docs/state-parcels.ts';
import { parsePlace } from '../../../pipelines/place/place-schema.ts';
import { run } from '../../../pipelines/run.ts';
import { columnsOfExpression } from '../../../pipelines/steps/normalise.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { feature, square } from '../../pipelines/village.ts';
import { NORTHEAST } from './northeast-rows.ts';
import { SOUTH } from './south-rows.ts';
import type { MadeUp } from './state-rows.ts';
import { WEST } from './west-rows.ts';

const ROWS = { ...NORTHEAST, ...SOUTH, ...WEST };
const states = [...templates.values()];

/** The place of a county as `countyParcels` says it, read by the machinery that reads files of operators. */
function placeOf(state: string): Place {
  const { county } = ROWS[state]!;
  const { cut: _, ...says } = countyParcels(templateOf(state)!, county);
  const file = { name: `${state.toLowerCase()}-county`, title: 'A county', county, ...says };
  return parsePlace(JSON.stringify(file), `${state}.json`);
}

const work = mkdtempSync(join(tmpdir(), 'plat-templates-'));
const sources = join(work, 'sources');
const attributes = new Map<string, Readonly<Record<string, unknown>>[]>();

/** The rows of a state's made-up file: one full, one without any value, and the odd ones. */
function rowsOf(state: string): (readonly MadeUp[])[] {
  const { full, odd = [] } = ROWS[state]!;
  const blank = full.filter(([column]) => templateOf(state)!.rows !== null && keyColumns(state).includes(column));
  return [full, blank.map(([column, value]) => [column, value] as const), ...odd];
}

/** Columns that the condition of a county reads. */
const keyColumns = (state: string) => columnsOfExpression({ const: 1, when: templateOf(state)!.rows!('00000') });

beforeAll(async () => {
  mkdirSync(sources);
  const places = states.map(({ state }) => {
    const place = placeOf(state);
    const layer = place.layers[0]!;
    const documented = documentedColumns(templateOf(state)!);
    const [west, south, east, north] = countyBox(place.county)!;
    const [x, y] = [(west + east) / 2, (south + north) / 2];
    const features = rowsOf(state).map((row, i) =>
      feature('Polygon', [square(x + i / 500, y, 0.001)], {
        // Every documented column is there, as in the published file; text that is blank stands for what is missing.
        ...Object.fromEntries(documented.map((column, k) => [column, k % 2 === 0 ? null : ' '])),
        ...Object.fromEntries(row.map(([column, value]) => [column, value])),
      }),
    );
    writeFileSync(join(sources, layer.file), JSON.stringify({ type: 'FeatureCollection', features }));
    return { place, layer };
  });
  // One run reads all: each state is a layer of its own.
  const all: Place = {
    ...places[0]!.place,
    files: {},
    layers: places.map(({ place, layer }) => ({
      ...layer,
      state: place.state,
      county: place.county,
      expect: { ...layer.expect, nulls: { apn: 1 }, because: 'most of the rows are there to show what is missing' },
    })),
  };
  const report = await run({ home: join(work, 'home'), sources, place: all, threads: 0, progress: SILENT });
  expect(report.counts.map(({ rejected }) => rejected)).toEqual(places.map(() => 0));
  const layers = new Layers(openRelease(join(work, 'home')), createCache(64));
  for (const partition of layers.release.layer('parcel_store', 'main')!.partitions) {
    const { file } = await layers.features(partition);
    const found = Array.from({ length: file.count }, (_, i) => file.properties(i) as Record<string, unknown>);
    attributes.set(partition.key, found);
  }
}, 60_000);
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** What a row gives beside its own columns. */
function constants(state: string): Record<string, unknown> {
  const { columns } = templateOf(state)!.place.layers[0]!;
  const given = Object.entries(columns).flatMap(([name, expression]) =>
    typeof expression === 'object' && expression.const !== undefined && expression.when === undefined
      ? [[name, expression.const]]
      : [],
  );
  return { ...Object.fromEntries(given), geoid: ROWS[state]!.county };
}

describe('templates of states', () => {
  it('are at least fifteen, each with made-up rows', () => {
    expect(states.length).toBeGreaterThanOrEqual(15);
    expect(Object.keys(ROWS).sort()).toEqual(states.map(({ state }) => state).sort());
    for (const { state } of states) expect(STATE_FIPS[state]).toBeDefined();
    expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
  });

  it('map documented columns onto stored attributes alone, each column once accounted for', () => {
    for (const template of states) {
      const { state, columns, unmapped, documentation } = template;
      const stored = Object.entries(PARCEL_ATTRIBUTES).filter(([, attribute]) => !('computed' in attribute));
      const strangers = Object.keys(columns).filter(name => !stored.some(([attribute]) => attribute === name));
      expect([state, strangers]).toEqual([state, []]);
      const documented = documentedColumns(template);
      expect([state, documented.filter(column => unmapped.includes(column)).sort()]).toEqual([
        state,
        [...unmapped].sort(),
      ]);
      expect([state, new Set(documented).size]).toEqual([state, documented.length]);
      for (const page of documentation) expect(page).toMatch(/^https?:\/\/[^ ]+$/);
    }
  });

  it('say which rows are those of a county', () => {
    for (const [state, { county, where }] of Object.entries(ROWS)) {
      const { layers, files, cut } = countyParcels(templateOf(state)!, county);
      expect([state, layers[0].where]).toEqual([state, where]);
      const [at] = Object.values(files);
      expect([state, at!.where]).toEqual([state, where]);
      expect([state, cut]).toEqual([state, at!.ground !== undefined]);
      expect(at!.url).not.toContain('undefined');
    }
    const rows = (state: string, county: string) => templateOf(state)!.rows!(county);
    // Numbers of their own, of counties where the alphabet alone would be wrong.
    expect(rows('FL', '12086')).toBe('CO_NO = 23');
    expect(rows('FL', '12133')).toBe('CO_NO = 77');
    expect(rows('MD', '24510')).toBe("ACCTID like '03%'");
    expect(rows('MD', '24005')).toBe("ACCTID like '04%'");
    expect(rows('MD', '24033')).toBe("ACCTID like '17%'");
    expect(rows('NY', '36001')).toBe("SWIS like '01%'");
    expect(rows('NY', '36029')).toBe("SWIS like '14%'");
    expect(rows('NY', '36089')).toBe("SWIS like '40%'");
    expect(rows('NY', '36123')).toBe("SWIS like '57%'");
    expect(rows('NY', '36047')).toBe("SWIS like '61%'");
    expect(rows('WV', '54049')).toBe("COUNTY in ('24', '24')");
    expect(rows('WV', '54039')).toBe("COUNTY in ('20', '20')");
    expect(rows('WV', '54109')).toBe("COUNTY in ('55', '55')");
    expect(rows('WV', '54001')).toBe("COUNTY in ('01', '1')");
    expect(templateOf('UT')!.published('49003').url).toContain('Parcels_BoxElder_LIR');
    expect(templateOf('UT')!.published('49057').url).toContain('Parcels_Weber_LIR');
  });

  it.each(Object.keys(ROWS))('of %s give the attributes of a made-up file in its schema', state => {
    const { county } = ROWS[state]!;
    const rows = attributes.get(`${state}/${county}`)!;
    const mapped = ['geoid', ...Object.keys(templateOf(state)!.place.layers[0]!.columns)];
    const got = rows.map(row =>
      Object.fromEntries(
        mapped.flatMap(name => (row[name] === null || row[name] === undefined ? [] : [[name, row[name]]])),
      ),
    );
    const key = templateOf(state)!.rows === null ? [] : keyColumns(state);
    const wanted = rowsOf(state).map((row, i) => {
      const given = Object.assign({}, ...row.map(([, , gives]) => gives ?? {}));
      // What the condition reads of the row without values also says what it says in the full one.
      const full = ROWS[state]!.full.filter(([column]) => i === 1 && key.includes(column));
      return { ...constants(state), ...Object.assign({}, ...full.map(([, , gives]) => gives ?? {})), ...given };
    });
    const byText = (list: readonly object[]) =>
      [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    const sorted = (record: Record<string, unknown>) => Object.fromEntries(Object.entries(record).sort());
    expect(byText(got.map(sorted))).toEqual(byText(wanted.map(sorted)));
  });

  it('have made-up rows with a value in every column that they read', () => {
    for (const template of states) {
      const read = documentedColumns(template).filter(column => !template.unmapped.includes(column));
      const filled = new Set(ROWS[template.state]!.full.map(([column]) => column));
      expect([template.state, read.filter(column => !filled.has(column))]).toEqual([template.state, []]);
    }
  });

  it('are listed where a place extends none of them', () => {
    expect(() =>
      parsePlace(
        JSON.stringify({ extends: 'zz-parcels', name: 'a', title: 'A', county: '37001', layers: [] }),
        'a.json',
      ),
    ).toThrow('no place "zz-parcels" to extend');
  });
});
