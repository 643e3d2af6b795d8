import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog, FETCH_PRESETS } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { EXCLUDED_FROM_ENRICH } from '../../datasets/enrich/enrich.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { ENRICH_PRESETS } from '../../datasets/enrich/enrich-presets.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';

const folder = new URL('../../../shared/design/', import.meta.url);
const present = existsSync(new URL('fetch_fields.csv', folder));
if (!present) console.warn('skipped: the design tables are not in ../shared/design');

type TableRow = Readonly<Record<string, string>>;

/** RFC 4180 with quoted fields; the tables have no blank lines. */
function readTable(name: string): TableRow[] {
  const text = readFileSync(new URL(name, folder), 'utf8').replace(/\r\n/g, '\n').trimEnd();
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    else if (end === '') break;
  }
  const [header, ...body] = rows;
  return body.map(row => Object.fromEntries(header!.map((column, i) => [column, row[i]!])));
}

/** An expression without the `?` that marks a name still to be confirmed. */
const confirmed = (operator: string) => operator.replace(/([\w`)])\?/g, '$1').replaceAll('?`', '`');

/** The confidence rule as it is written in the tables. */
function writtenRule(field: Field): string {
  const rule = field.confidence;
  if (rule.kind === 'const') return `const(${rule.level})`;
  if (rule.kind === 'edge_m') return `edge_m(${rule.metres})`;
  if (rule.kind === 'station_km') return `station_km(${rule.high};${rule.medium})`;
  if (rule.kind === 'cv') return `cv(${rule.high};${rule.medium})`;
  if (rule.kind === 'sign') return `sign(${rule.errors})`;
  return rule.kind;
}

/** Rules that were designed as constants before layers had margins and errors: those go by these now. */
const BY_MARGIN: Readonly<Record<string, string>> = {
  elevation_above_base_flood_m: 'sign(2)',
  ...Object.fromEntries([...catalog.datasets.get('census_acs')!.fields].map(({ name }) => [name, 'cv(12;40)'])),
};

describe('the catalog against its design', { tags: ['design'] }, () => {
  let fields: ReadonlyMap<string, TableRow>;
  let presets: readonly TableRow[];
  let attributes: readonly TableRow[];

  beforeAll(() => {
    fields = new Map(readTable('fetch_fields.csv').map(row => [row.name!, row]));
    presets = readTable('fetch_presets.csv');
    attributes = readTable('parcel_attributes.csv');
  });

  it('reads the tables whole', () => {
    expect(fields.size).toBeGreaterThan(300);
    expect(new Set(presets.map(row => row.preset))).toEqual(new Set(FETCH_PRESETS));
  });

  // The catalog may hold more than was designed, so each row of the design is looked for, and nothing else.
  it('every designed field is in the catalog as designed', () => {
    for (const [name, row] of fields) {
      const field = catalog.fields.get(name);
      if (!field) throw new Error(`The catalog lacks the designed field ${name}`);
      expect(
        {
          layer: field.layer,
          type: field.type,
          unit: field.unit ?? '',
          title: field.title,
          description: field.description,
          operator: field.expression.text,
          confidence_rule: writtenRule(field),
          ttl_seconds: String(field.ttlSeconds),
        },
        name,
      ).toEqual({
        layer: row.layer,
        type: row.type,
        unit: row.unit,
        title: row.title,
        description: row.description,
        operator: confirmed(row.operator!),
        confidence_rule: BY_MARGIN[name] ?? row.confidence_rule,
        ttl_seconds: row.ttl_seconds,
      });
      expect(row.dataset_ids!.split(';'), name).toContain(field.dataset);
      const positions = presets.filter(p => p.name === name).map(p => [p.preset, Number(p.position)]);
      expect(field.presets ?? {}, name).toEqual(Object.fromEntries(positions));
    }
  });

  it('stores the designed parcel attributes in the designed order', () => {
    const stored = Object.entries(PARCEL_ATTRIBUTES).map(([name, column]) => ({
      name,
      type: column.type,
      unit: 'unit' in column ? column.unit : '',
      description: column.description,
    }));
    const designed = attributes.map(({ name, type, unit, description }) => ({ name, type, unit, description }));
    const names = new Set(designed.map(({ name }) => name));
    expect(stored.filter(({ name }) => names.has(name))).toEqual(designed);
  });

  it('enriches by the designed presets, the designed calculations, and not by the excluded fields', () => {
    const rows = readTable('enrich_presets.csv');
    const names = Object.groupBy(rows, row => row.preset!);
    const designed = new Set([...fields.keys(), ...attributes.map(row => row.name!), ...rows.map(row => row.name!)]);
    const ofDesign = Object.entries(ENRICH_PRESETS).map(([preset, members]) => [
      preset,
      members.filter(name => designed.has(name)),
    ]);
    expect(ofDesign.filter(([preset]) => names[preset as string])).toEqual(
      Object.entries(names).map(([preset, members]) => [preset, members!.map(row => row.name)]),
    );
    const excluded = [...fields.values()].filter(row => row.enrich === 'no').map(row => row.name!);
    expect([...EXCLUDED_FROM_ENRICH].filter(name => fields.has(name)).sort()).toEqual(excluded.sort());
    const only = readTable('enrich_only.csv');
    expect(
      Object.entries(ENRICH_ONLY).map(([name, o]) => ({
        name,
        type: o.type,
        unit: 'unit' in o ? o.unit : '',
        description: o.description,
        dataset_ids: o.datasets.join(';'),
        confidence_rule: o.confidence.kind,
        ttl_seconds: String(o.ttlSeconds),
      })),
    ).toEqual(expect.arrayContaining(only.map(({ semantics, ...row }) => row)));
  });
});
