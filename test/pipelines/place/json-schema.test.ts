import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { places } from '../../../datasets/places.ts';
import { placeJsonSchema } from '../../../pipelines/place/json-schema.ts';
import { checkPlace } from '../../../pipelines/place/place-check.ts';
import { readText } from '../../../pipelines/place/source.ts';
import { loadCommands } from '../../../plat.ts';
import { village } from '../village.ts';

const ajv = new Ajv({ strictTypes: false, allErrors: true });
const validate = ajv.compile(placeJsonSchema());
/** Where the value is wrong. */
const wrong = (value: unknown): string[] => {
  // Without what JSON has no word for.
  validate(JSON.parse(JSON.stringify(value)));
  return [
    ...new Set(
      (validate.errors ?? []).map(
        e => e.instancePath + (e.params.additionalProperty ? `/${e.params.additionalProperty}` : ''),
      ),
    ),
  ];
};

const folder = new URL('../../../docs/place-examples/', import.meta.url);
const examples = readdirSync(folder).map(name => ({
  name,
  value: readText(readFileSync(new URL(name, folder), 'utf8'), name).value as Record<string, unknown>,
}));
const hamlet = examples.find(e => e.name === 'hamlet.yaml')!.value as unknown as { layers: Record<string, unknown>[] };
/** The example with one layer changed. */
const changed = (i: number, change: Record<string, unknown>) => ({
  ...hamlet,
  layers: hamlet.layers.map((layer, k) => (k === i ? { ...layer, ...change } : layer)),
});

describe('the JSON Schema of place files', () => {
  it('is printed by plat place schema', async () => {
    const command = (await loadCommands('place')).find(c => c.name === 'place schema')!;
    const out: string[] = [];
    const terminal = { json: false, interactive: false, out: (line: string) => out.push(line), err: () => {} };
    expect(await command.run([], {}, terminal)).toBe(0);
    expect(JSON.parse(out.join('\n'))).toEqual(JSON.parse(JSON.stringify(placeJsonSchema())));
  });

  it('refers only to what it defines', () => {
    const text = JSON.stringify(placeJsonSchema());
    const named = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(m => m[1]!);
    const { definitions } = placeJsonSchema() as { definitions: object };
    const known = Object.keys(definitions).map(name => `#/definitions/${name}`);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(name => !known.includes(name))).toEqual([]);
    expect(known.filter(name => !named.includes(name))).toEqual([]);
  });

  it.each(examples)('fits docs/place-examples/$name', ({ value }) => expect(wrong(value)).toEqual([]));
  it.each([...places.values()])('fits $name', place => expect(wrong(place)).toEqual([]));

  it('names every dataset, layer and column that a place may fill, with what it is', () => {
    const text = JSON.stringify(placeJsonSchema());
    for (const [id, { title, layers }] of catalog.datasets) {
      expect(text).toContain(`{"const":${JSON.stringify(id)},"description":${JSON.stringify(title)}}`);
      for (const [name, layer] of Object.entries(layers)) {
        expect(text).toContain(`{"const":${JSON.stringify(name)},"description":`);
        if (layer.kind !== 'raster')
          for (const [column, { computed }] of Object.entries(layer.columns))
            if (!computed) expect(text).toContain(`${JSON.stringify(column)}:{"description":`);
      }
    }
  });

  const { name: _, ...nameless } = village;
  const cases: [string, unknown, string][] = [
    ['a key that is missing', nameless, ''],
    ['an unknown key', { ...village, nam: 'x' }, '/nam'],
    ['an unknown dataset', changed(2, { dataset: 'zoning' }), '/layers/2/dataset'],
    ['an unknown layer', changed(2, { layer: 'districts' }), '/layers/2/layer'],
    ['an unknown column', changed(2, { columns: { ZONING: 'x' } }), '/layers/2/columns/ZONING'],
    ['a computed column', changed(0, { columns: { centroid_lon: 'X' } }), '/layers/0/columns/centroid_lon'],
    ['an unknown unpublished column', changed(3, { unpublished: ['STATIC'] }), '/layers/3/unpublished/0'],
    [
      'an unknown key of an expression',
      changed(2, { columns: { ZONE: { form: 'x' } } }),
      '/layers/2/columns/ZONE/form',
    ],
    ['an unknown key of an option', changed(2, { options: { csr: 'x' } }), '/layers/2/options/csr'],
    [
      'a word of several that is none',
      changed(2, { join: { file: 'a', prefix: 'b', key: 'c', to: 'd', several: 'last' } }),
      '/layers/2/join/several',
    ],
    ['a coverage that is none', { ...village, coverage: { extent: false } }, '/coverage'],
    ['a layer without a file where nothing is inherited', changed(2, { file: undefined }), '/layers/2'],
  ];
  it.each(cases)('does not fit %s', (_name, value, path) => {
    expect(wrong(value)).toContain(path);
    expect(checkPlace(value)).not.toEqual([]);
  });

  it('lets a layer that changes another leave out what it inherits, and take keys away', () => {
    const heir = { extends: 'mecklenburg-nc', name: 'a', title: 'A', county: '37119' };
    expect(
      wrong({ ...heir, layers: [{ id: 'nces_edge:public_schools', where: null, columns: { NAME: null } }] }),
    ).toEqual([]);
    expect(wrong({ ...heir, layers: [{ id: 'nces_edge:public_schools', fil: 'x' }] })).toContain('/layers/0/fil');
    expect(wrong({ extends: 'mecklenburg-nc' })).toEqual(['']);
  });
});
