import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH, enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import { ENRICH_PRESETS } from '../../../datasets/enrich/enrich-presets.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { smallCatalog } from '../../server/service-fixture.ts';

const { fields, presets } = enrichCatalogOf(catalog);

describe('the enrich catalog', () => {
  it('has the fetch fields that are not excluded, the stored attributes, and those of its own', () => {
    const kinds = [...fields.values()].map(field => field.kind);
    const count = (kind: string) => kinds.filter(k => k === kind).length;
    const fetched = catalog.fields.size - EXCLUDED_FROM_ENRICH.size;
    const [stored, only] = [PARCEL_ATTRIBUTES, ENRICH_ONLY].map(of => Object.keys(of).length) as [number, number];
    expect([count('fetch'), count('stored'), count('only')]).toEqual([fetched, stored, only]);
    expect(fields.size).toBe(fetched + stored + only);
  });

  it('leaves out the eight fields that enrichment does not answer', () => {
    expect(EXCLUDED_FROM_ENRICH.size).toBe(8);
    for (const name of EXCLUDED_FROM_ENRICH) {
      expect(catalog.fields.has(name), name).toBe(true);
      expect(fields.has(name), name).toBe(false);
      expect(Object.values(ENRICH_PRESETS).flat(), name).not.toContain(name);
    }
  });

  it('has fourteen presets in order, none of a field that does not exist', () => {
    expect([...presets.keys()]).toEqual([
      ...['parcel', 'zoning', 'buildings', 'valuation', 'legal', 'power', 'access', 'water', 'terrain', 'environment'],
      ...['climate', 'hazards', 'market', 'constraints'],
    ]);
    const sizes = [82, 27, 36, 33, 43, 50, 43, 17, 24, 45, 29, 101, 19, 20];
    expect([...presets.values()].map(names => names.length)).toEqual(sizes);
    for (const names of presets.values()) expect(new Set(names).size).toBe(names.length);
    expect([...presets].map(([preset, names]) => [preset, ...names])).toEqual(
      Object.entries(ENRICH_PRESETS).map(([preset, names]) => [preset, ...names]),
    );
  });

  it('orders fields by their first preset, then by the catalog', () => {
    const order = [...new Set([...presets.values()].flat())];
    expect([...fields.keys()].slice(0, order.length)).toEqual(order);
    // The small catalog's fillers are in no preset.
    const small = [...enrichCatalogOf(smallCatalog).fields.keys()];
    const rest = small.filter(name => /^filler_/.test(name));
    expect(rest).toEqual([...smallCatalog.fields.keys()].filter(name => /^filler_/.test(name)));
    const loose = small.slice(small.indexOf(rest[0]!));
    const placed = new Set<string>(Object.values(ENRICH_PRESETS).flat());
    expect(loose.filter(name => placed.has(name))).toEqual([]);
  });

  it('has three to thirty everyday words for each field, none twice and none in capitals', () => {
    for (const { name, terms } of fields.values()) {
      expect(terms.length, name).toBeGreaterThanOrEqual(3);
      expect(terms.length, name).toBeLessThanOrEqual(30);
      expect(new Set(terms).size, name).toBe(terms.length);
      for (const term of terms) expect(term, name).toMatch(/^[\p{Ll}0-9][\p{Ll}0-9 .'’/-]*$/u);
    }
  });

  it('tells for each field what to do with its value: no hint twice, none a restatement', () => {
    const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{4,}/g));
    const hints = [...fields.values()].map(field => field.hint);
    expect(new Set(hints).size).toBe(hints.length);
    for (const { name, hint, description } of fields.values()) {
      expect(hint.length, name).toBeGreaterThan(30);
      expect(hint, name).toMatch(/[.!]$/);
      const described = words(description);
      const fresh = [...words(hint)].filter(word => !described.has(word));
      const remedy = `the hint of ${name} says little that its description does not: say in five other words what to do`;
      expect(fresh.length, remedy).toBeGreaterThan(4);
    }
  });
});
