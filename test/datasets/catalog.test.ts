import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildCatalog, catalog, layerOf, walk } from '../../datasets/catalog.ts';
import { citableUrl } from '../../datasets/citable-url.ts';
import { defineDataset, FIELD_LAYERS, isAssessed } from '../../datasets/dataset.ts';
import { EXCLUDED_FROM_ENRICH } from '../../datasets/enrich/enrich.ts';
import { columnsOf } from '../../datasets/grammar/condition.ts';
import { columnsRead } from '../../datasets/grammar/expression.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';

const fields = [...catalog.fields.values()];

it('has a title of every layer, in the words of a sentence', () => {
  for (const { id, layers } of catalog.datasets.values())
    for (const [name, { title }] of Object.entries(layers)) expect(title, `${id}:${name}`).toMatch(/^[\w ,-]+$/);
});

/** Words of a text that carry meaning, for comparing a hint with a description. */
const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);

function sharedShare(hint: string, description: string): number {
  const told = words(description);
  const said = words(hint);
  return [...told].filter(word => said.has(word)).length / Math.max(told.size, 1);
}

/** A dataset of one polygon layer with one field, for what a catalog must refuse. */
function dataset(expression: string, change: { name?: string; presets?: Record<string, number> } = {}) {
  return defineDataset({
    id: 'sample',
    title: 'Sample',
    publisher: 'Nobody',
    url: 'https://example.org',
    format: 'shp',
    licence: 'none',
    cadence: 'never',
    vintageRule: 'none',
    layers: {
      main: {
        kind: 'vector',
        geometry: 'polygon',
        joinKey: null,
        partition: 'national',
        columns: { A: { type: 'string' } },
      },
    },
    fields: {
      [change.name ?? 'sample_field']: {
        layer: 'terrain',
        type: 'string',
        title: 'Sample',
        description: 'A sample.',
        expression,
        confidence: 'const(high)',
        ttlSeconds: 1,
        ...(change.presets && { presets: change.presets }),
        terms: [],
        hint: 'Nothing.',
      },
    },
  });
}

describe('the catalog', () => {
  it('has fields in all seven layers, in catalog order', () => {
    // One dataset a file, and no field of a file is lost.
    const files = readdirSync(new URL('../../datasets/products/', import.meta.url));
    expect(catalog.datasets.size).toBe(files.length);
    expect(fields).toHaveLength([...catalog.datasets.values()].flatMap(dataset => dataset.fields).length);
    expect(EXCLUDED_FROM_ENRICH.size).toBe(8);
    expect([...EXCLUDED_FROM_ENRICH].filter(name => !catalog.fields.has(name))).toEqual([]);
    expect(new Set(fields.map(f => f.layer))).toEqual(new Set(FIELD_LAYERS));
    const order = fields.map(f => FIELD_LAYERS.indexOf(f.layer));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('explains every field with a hint of its own that says more than the description', () => {
    const hints = fields.map(f => f.hint.trim().toLowerCase());
    expect(hints.filter((hint, i) => hints.indexOf(hint) !== i)).toEqual([]);
    const restating = fields.filter(
      f => f.hint.length < 40 || f.hint.includes(f.description) || sharedShare(f.hint, f.description) > 0.6,
    );
    const remedy = 'a hint has 40 characters at least, most of its words are not those of the description';
    expect(
      restating.map(f => `${f.name}: ${f.hint}`),
      remedy,
    ).toEqual([]);
  });

  it('cites every dataset by a URL without placeholders that its own text begins with, or by none', () => {
    const datasets = [...catalog.datasets.values()];
    for (const { id, url, publishedAt } of datasets.filter(d => d.url !== null)) {
      expect(URL.parse(url!)?.host, id).toMatch(/\w\.\w|^overturemaps-/);
      expect(url, id).not.toMatch(/[\s{}<>,;]/);
      expect(publishedAt.startsWith(url!), id).toBe(true);
    }
    // Their publishers are as many as there are place files.
    expect(datasets.filter(d => d.url === null).map(d => d.id)).toEqual(['local_zoning', 'parcel_store']);
  });

  it.each([
    ['https://example.org', 'https://example.org'],
    ['https://example.org/a/tiles.zip', 'https://example.org/a/tiles.zip'],
    ['https://example.org/a/{tile}/USGS_{tile}.tif', 'https://example.org/a/'],
    ['https://example.org/a/2020-{year}/b', 'https://example.org/a/'],
    ['https://example.org/a?year=<year>', 'https://example.org/'],
    ['https://example.org (a_{year}.csv and b)', 'https://example.org'],
    ['https://example.org/a, https://example.com', 'https://example.org/a'],
    ['s3://bucket/release/{release}/', 's3://bucket/release/'],
    ['s3://{bucket}/release/', null],
    ['https://{state}.example.org/a', null],
    ['https://maps.{state}.example.org', null],
    ['per programme, for example https://example.org', null],
    ['Note: none', null],
    ['', null],
  ])('makes of "%s" the URL %s', (text, url) => {
    expect(citableUrl(text)).toBe(url);
  });

  it('keeps every preset within the cap of 50, at distinct positions from 1', () => {
    expect(catalog.presets.size).toBe(15);
    for (const [preset, names] of catalog.presets) {
      expect(names.length, preset).toBeLessThanOrEqual(50);
      const positions = names.map(name => catalog.fields.get(name)!.presets![preset]!);
      expect(new Set(positions).size, preset).toBe(positions.length);
      expect(
        positions.every(p => Number.isInteger(p) && p >= 1 && p <= 50),
        preset,
      ).toBe(true);
      expect(positions, preset).toEqual([...positions].sort((a, b) => a - b));
    }
  });

  it('charges exactly the fields that read the parcel as the parcel record', () => {
    const reading = fields.filter(f => f.name.startsWith('parcel_')).map(f => f.name);
    reading.push('wetland_fraction_of_parcel', 'wetland_acres_on_parcel', 'developable_acres_proxy');
    reading.push('onsite_solar_potential_mwac_fixed_tilt', 'onsite_solar_potential_mwac_single_axis_tracking');
    expect([...catalog.parcelRecord].sort()).toEqual(reading.sort());
  });

  it('reads only bands, columns and keys that its layers have', () => {
    const problems: string[] = [];
    for (const field of fields)
      walk(field.expression, call => {
        for (const source of call.sources) {
          const layer = layerOf(catalog.datasets, source.dataset, source.layer);
          if (layer.kind === 'raster') {
            if (Number(call.argument) > layer.bands) problems.push(`${field.name}: band ${call.argument}`);
            continue;
          }
          for (const column of [...columnsRead(call), ...columnsOf(source.where)])
            if (!layer.columns[column]) problems.push(`${field.name}: ${column}`);
          if (layer.kind === 'table' && call.options.key !== layer.key.is) problems.push(`${field.name}: key`);
          if (layer.kind === 'table' && call.options.agg === 'latest' && !layer.columns.Year)
            problems.push(`${field.name}: latest without Year`);
          const coverage = call.options.coverage;
          if (typeof coverage === 'string') layerOf(catalog.datasets, ...(coverage.split(':') as [string, string]));
        }
      });
    expect(problems).toEqual([]);
  });

  it('describes every dataset: publisher, address, licence, cadence, vintage, and keys that are columns', () => {
    for (const d of catalog.datasets.values()) {
      for (const key of ['title', 'publisher', 'url', 'format', 'licence', 'cadence', 'vintageRule'] as const)
        expect(d[key], `${d.id}.${key}`).not.toBe('');
      for (const [name, layer] of Object.entries(d.layers)) {
        if (layer.kind === 'vector' && layer.joinKey)
          expect(layer.columns, `${d.id}:${name}`).toHaveProperty([layer.joinKey]);
        if (layer.kind === 'table') expect(layer.columns, `${d.id}:${name}`).toHaveProperty([layer.key.column]);
      }
    }
  });

  it('states the accuracy of the layers whose publisher states one', () => {
    const stated = (dataset: string, layer: string) => {
      const definition = layerOf(catalog.datasets, dataset, layer);
      return definition.kind === 'vector' ? definition.accuracyM : undefined;
    };
    expect(stated('fema_nfhl', 'S_FLD_HAZ_AR')).toBe(12);
    expect(stated('usfws_nwi', 'main')).toBe(12);
    expect(stated('census_tiger', 'tract')).toBe(7.6);
    expect(stated('parcel_store', 'main')).toBe(4.1);
    // Of outlines drawn from imagery by many hands nobody states any.
    expect(stated('osm_power', 'substation')).toBeUndefined();
  });

  it('says of 70 layers at least how right they are, and in what document a figure stands', () => {
    const layers = [...catalog.datasets.values()].flatMap(({ id, layers }) =>
      Object.entries(layers).flatMap(([name, layer]) =>
        layer.kind === 'vector' || layer.kind === 'raster' ? [{ name: `${id}:${name}`, layer }] : [],
      ),
    );
    expect(layers.filter(({ layer }) => isAssessed(layer)).length).toBeGreaterThanOrEqual(70);
    for (const { name, layer } of layers) {
      for (const { page, means, unit } of layer.assessed ?? []) {
        expect(page, name).toMatch(/^https?:/);
        expect([means, unit], name).not.toContain('');
      }
      if (layer.kind === 'vector' && layer.accuracyM !== undefined) expect(layer.accuracyIn, name).toBeTruthy();
    }
  });

  it('stores 177 attributes a parcel beside its key, row number and part', () => {
    expect(Object.keys(PARCEL_ATTRIBUTES)).toHaveLength(177);
    const layer = layerOf(catalog.datasets, 'parcel_store', 'main');
    expect(layer.kind === 'vector' && Object.keys(layer.columns)).toHaveLength(180);
  });
});

describe('buildCatalog refuses', () => {
  const good = dataset('polygon_attr(sample, A)');
  it.each([
    ['two datasets of one id', [good, good], /^one\.ts and two\.ts have the id sample: /],
    ['a field twice', [good, { ...good, id: 'other' }], /^one\.ts and two\.ts define the field sample_field: /],
    ['a missing column', [dataset('polygon_attr(sample, B)')], /no column B/],
    ['a missing column in where', [dataset("polygon_within(sample, where[B = 'x'])")], /no column B/],
    ['a missing layer', [dataset('polygon_attr(sample:lost, A)')], /No layer sample:lost/],
    ['a missing input', [dataset('derived(expr[a], a=@lost)')], /@lost is no field/],
    ['a loop', [dataset('derived(expr[a], a=@sample_field)')], /loop: sample_field → sample_field/],
    ['an unknown preset', [dataset('polygon_attr(sample, A)', { presets: { lost: 1 } })], /no preset lost/],
  ])('%s', (_, list, message) => {
    expect(() => buildCatalog(list, ['one.ts', 'two.ts'])).toThrow(message);
  });

  it('an expression outside the grammar, naming dataset and field', () => {
    expect(() => dataset('polygon_attr(sample)')).toThrow(/sample\.sample_field: polygon_attr takes 2/);
  });
});
