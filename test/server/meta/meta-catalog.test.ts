import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH, enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { verdictOf } from '../../../datasets/verdict.ts';
import { judgeName } from '../../../query/search/request/name.ts';
import { filterNames, outputNames } from '../../../query/search/request/surface.ts';
import { fieldCatalog } from '../../../server/meta/operation.ts';
import { VerdictMeta } from '../../../server/meta/verdict.ts';
import type { FieldMeta } from '../../../web/api/field.ts';
import { contextFor, openFixture } from '../service-fixture.ts';

/** The real catalog as GET /v1/meta/fields gives it while nothing is installed. */
async function document() {
  await using fixture = await openFixture();
  const { engine } = fixture;
  engine.lacks = Object.fromEntries([...catalog.fields.keys()].map(name => [name, 'nothing is installed']));
  return fieldCatalog(contextFor(fixture, { catalog }));
}

it('counts the fields that are fetched, that enrich, and the names that filter and that are put out', async () => {
  const { count, counts, fields, further_names, presets, enrich_presets, layers, price_list } = await document();
  const enriched = enrichCatalogOf(catalog).fields.size;
  expect(counts).toEqual({
    fetch: catalog.fields.size,
    enrich: enriched,
    filter: filterNames(catalog).size,
    output: outputNames(catalog).size,
  });
  expect([count, fields.length]).toEqual([catalog.fields.size, catalog.fields.size]);
  expect(layers).toHaveLength(7);
  expect(presets).toHaveLength(15);
  expect(enrich_presets).toHaveLength(14);
  expect(price_list.groups.parcel_record.fields).toEqual([...catalog.parcelRecord]);
  const all = [...fields, ...further_names];
  for (const surface of ['fetch', 'enrich', 'filter', 'output'] as const)
    expect(all.filter(({ surfaces }) => surfaces.includes(surface))).toHaveLength(counts[surface]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const hints = [...catalog.fields.values(), ...enrichCatalogOf(catalog).fields.values()].map(({ name, hint }) => [
    name,
    hint,
  ]);
  expect(new Set(new Map(hints as [string, string][]).values()).size).toBe(enriched + EXCLUDED_FROM_ENRICH.size);
});

it('gives every fetch field its whole description', async () => {
  const { fields } = await document();
  for (const field of fields) {
    expect(field, field.name).toMatchObject({
      installed: false,
      vintage: null,
      publisher: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\.$/),
      hint: expect.stringMatching(/\w/),
      terms: expect.arrayContaining([expect.stringMatching(/\w/)]),
    });
    expect(field.source_url ?? 'https://none', field.name).toMatch(/^(https|s3):\/\/[^\s{}<>]+$/);
    expect(field.datasets, field.name).toContain(field.dataset);
    expect(field.filter_operators.length > 0, field.name).toBe(field.surfaces.includes('filter'));
    expect(field.surfaces.includes('enrich'), field.name).toBe(field.surfaces.includes('filter'));
    expect(Object.keys(field.billing)).toEqual(['group', 'credits', 'charged']);
  }
});

it('lists the values of a field only where the publisher has a closed list', async () => {
  const { fields } = await document();
  const values = new Map(fields.map(field => [field.name, field.enum_values]));
  expect(values.get('drought_category')).toEqual(['D0', 'D1', 'D2', 'D3', 'D4']);
  expect(values.get('aspect_cardinal')).toHaveLength(9);
  expect(values.get('parcel_match_type')).toEqual(['contains', 'nearest', 'address']);
  expect(values.get('land_cover_class')).toHaveLength(20);
  expect(values.get('radon_zone')).toEqual([1, 2, 3]);
  expect(values.get('fema_flood_zone')).toContain('AE');
  expect(values.get('county_name')).toBeNull();
  expect(values.get('elevation')).toBeNull();
  for (const [name, list] of values) if (list) expect(new Set(list).size, name).toBe(list.length);
});

it('gives the rules by which answers in words judge, to judge by the same function', async () => {
  const fields = JSON.parse(JSON.stringify((await document()).fields)) as FieldMeta[];
  expect(fields.filter(({ verdict }) => verdict).length).toBeGreaterThan(70);
  for (const { name, verdict } of fields) {
    expect(Value.Errors(VerdictMeta, verdict), name).toEqual([]);
    const values = [true, false, 'X', 'AE', 'D', '', 0, 3, 15.2, 1000];
    const outcomes = (rule: Parameters<typeof verdictOf>[0]) =>
      values.map(value => verdictOf(rule, { status: 'ok', value, notes: null, dataset_vintage: null }).outcome);
    const rule = catalog.fields.get(name)!.verdict;
    expect(verdict === null, name).toBe(rule === undefined);
    if (verdict && rule) expect(outcomes(verdict), name).toEqual(outcomes(rule));
  }
});

it('tells the state by its code, and which form of the boundary is an object', async () => {
  const { further_names } = await document();
  const only = further_names.filter(({ kind }) => kind === 'search_only');
  expect(only.map(({ name, type, filter_operators }) => [name, type, filter_operators])).toEqual([
    ['state', 'string', ['eq', 'ne', 'in']],
    ['geometry', 'geometry', ['intersects', 'within']],
    ['parcel_boundary_geojson', 'string', []],
    ['parcel_geometry_wkt', 'string', []],
  ]);
  const { description } = only.find(({ name }) => name === 'state')!;
  expect(description).toMatch(/two-letter code/);
  expect(description).not.toMatch(/name|FIPS/);
});

it('names for filters and outputs exactly what a search knows', () => {
  const every = new Set([...catalog.fields.keys(), ...enrichCatalogOf(catalog).fields.keys()]);
  const columns = outputNames(catalog);
  for (const role of ['filter', 'output'] as const) {
    const named = role === 'filter' ? filterNames(catalog) : outputNames(catalog);
    for (const name of named) expect(judgeName(catalog, columns, name, role).status, name).toBe('usable');
    for (const name of every)
      if (!named.has(name)) expect(judgeName(catalog, columns, name, role).status, name).not.toBe('usable');
  }
});
