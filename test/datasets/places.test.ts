import { describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import { columnsOf, parseCondition } from '../../datasets/grammar/condition.ts';
import type { ColumnExpression, PlaceLayer } from '../../datasets/place/place.ts';
import { places } from '../../datasets/places.ts';

const all = [...places.values()].flatMap(place =>
  place.layers.map(layer => ({ place, layer, name: `${place.name} ${layer.dataset}:${layer.layer}` })),
);

/** Regular expressions and conditions written in a column expression, at any depth. */
function written(expression: ColumnExpression): { patterns: string[]; conditions: string[] } {
  if (typeof expression === 'string') return { patterns: [], conditions: [] };
  const inner = typeof expression.from === 'object' ? expression.from.map(written) : [];
  return {
    patterns: [
      ...(expression.patterns?.map(p => p.match) ?? []),
      ...(expression.strip === undefined ? [] : [expression.strip]),
      ...inner.flatMap(i => i.patterns),
    ],
    conditions: [...(expression.when === undefined ? [] : [expression.when]), ...inner.flatMap(i => i.conditions)],
  };
}

/** Columns a place file must account for: all but the geometry's own and those the refresh computes. */
function columnsOfLayer(layer: PlaceLayer): string[] {
  const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
  if (target.kind === 'raster') return [];
  return Object.entries(target.columns)
    .filter(([, column]) => !column.computed)
    .map(([name]) => name);
}

describe('places', () => {
  it('are found by name', () => {
    expect([...places.keys()]).toEqual(expect.arrayContaining(['alexandria-va', 'bangor-me', 'synthetic', 'zion-ut']));
    for (const [name, place] of places) expect(place.name).toBe(name);
  });

  it.each(all)('$name maps each column of its layer or says that it is not published', ({ layer }) => {
    const mapped = Object.keys(layer.columns);
    // The others are conditions whose rows the source lacks.
    const unpublished = (layer.unpublished ?? []).filter(entry => columnsOfLayer(layer).includes(entry));
    for (const entry of layer.unpublished ?? [])
      if (!unpublished.includes(entry))
        expect(columnsOfLayer(layer)).toEqual(expect.arrayContaining([...columnsOf(parseCondition(entry))]));
    expect(mapped.filter(name => unpublished.includes(name))).toEqual([]);
    expect([...mapped, ...unpublished].sort()).toEqual(columnsOfLayer(layer).sort());
  });

  it.each(all)('$name says what stands behind its values', ({ place, layer }) => {
    const { provenance } = layer;
    for (const key of ['source', 'title', 'publisher', 'licence', 'vintage'] as const)
      expect(provenance[key]).not.toBe('');
    // A source of another name than the dataset is a stand-in and has to say so.
    if (provenance.source !== layer.dataset && layer.dataset !== 'parcel_store' && layer.dataset !== 'local_zoning')
      expect(provenance.note).toMatch(place.synthetic ? /^Synthetic data/ : /^Stands in for /);
    // It stands on every value that rests on the layer; what explains some columns is a note on those.
    else if (!place.synthetic) expect(provenance.note ?? 'Stands in for ').toMatch(/^Stands in for /);
    const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
    for (const { columns } of provenance.notes ?? [])
      expect(Object.keys(target.kind === 'raster' ? {} : target.columns)).toEqual(expect.arrayContaining([...columns]));
    expect(provenance.source.startsWith('synthetic:')).toBe(place.synthetic ?? false);
  });

  it.each(all)('$name has conditions, patterns and keys that parse', ({ layer }) => {
    if (layer.where) expect(columnsOf(parseCondition(layer.where)).length).toBeGreaterThan(0);
    for (const expression of Object.values(layer.columns)) {
      const { patterns, conditions } = written(expression);
      for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow();
      for (const condition of conditions) expect(() => parseCondition(condition)).not.toThrow();
    }
    if (layer.dissolve) expect(Object.keys(layer.columns)).toContain(layer.dissolve);
    expect(layer.file).toMatch(/^[a-z][\w-]*\/[\w./-]+$/);
    expect(layer.file).not.toContain('..');
  });

  it.each([...places.values()])('$name lies in a county of its state', place => {
    expect(place.state).toMatch(/^[A-Z]{2}$/);
    expect(place.county).toMatch(/^\d{5}$/);
  });

  it.each([...places.values()])('$name fills no layer twice from one file', place => {
    const keys = place.layers.map(l => `${l.dataset}:${l.layer} ${l.file} ${l.options?.layer ?? ''}`);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  });
});
