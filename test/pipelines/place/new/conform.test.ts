import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ConformFunction, ConformValue, DirectoryLayer } from '../../../../datasets/directory/definition.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import type { ColumnExpression } from '../../../../datasets/place/place.ts';
import { expressionsOf } from '../../../../pipelines/place/new/conform.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { sourcesOf } from '../../../../pipelines/place/new/sources.ts';
import { Untranslatable } from '../../../../pipelines/place/new/untranslatable.ts';
import { columnsOfExpression, compileExpression } from '../../../../pipelines/steps/normalise.ts';
import { referenceValues } from './conform-reference.ts';
import { type ConformRow, directoryRows, randomOf } from './conform-rows.ts';

/** Questions of the reference implementation's tests to its functions, with the answers. */
const CASES: readonly Case[] = JSON.parse(
  readFileSync(new URL('batch-machine-cases.json', import.meta.url), 'utf8'),
).cases;

type Values = Readonly<Record<string, string>>;
const directory = readDirectory();

const compiled = (expressions: Readonly<Record<string, ColumnExpression>>) =>
  Object.entries(expressions).map(([name, e]) => [name, compileExpression(e, 'string', '2026-01-01')] as const);

/** Attributes in which a row differs from the reference: text without the white space around it, nothing as ''. */
function differences(fills: ReturnType<typeof compiled>, row: ConformRow, wanted: Values): string[] {
  const own = Object.fromEntries(fills.map(([name, fill]) => [name, fill(row) ?? '']));
  return Object.keys(wanted).filter(name => name !== 'accuracy' && String(own[name] ?? '') !== wanted[name]!.trim());
}

interface Case {
  readonly layer: DirectoryLayer;
  readonly attribute: string;
  readonly value: ConformValue;
  readonly row: ConformRow;
  readonly gives: string | null;
}

describe('functions of conform', () => {
  it.each([
    ...Map.groupBy(CASES, ({ value }) => (Array.isArray(value) ? 'list' : (value as ConformFunction).function)),
  ])('%s gives what the tests of the reference implementation want', (_name, cases) => {
    for (const { layer, attribute, value, row, gives } of cases) {
      const [fill] = compiled(expressionsOf({ [attribute]: value }, layer));
      const columns = fill ? columnsOfExpression(expressionsOf({ [attribute]: value }, layer)[attribute]!) : [];
      // A row of a file has every column of it.
      const whole = { ...Object.fromEntries(columns.map(name => [name, null])), ...row } as ConformRow;
      expect(String(fill?.[1](whole) ?? ''), JSON.stringify([value, row])).toBe((gives ?? '').trim());
    }
  });
});

describe('white space around published values', { tags: ['Python'] }, () => {
  it('counts for regular expressions as it does for the reference', () => {
    const others = /"function":"(?!regexp|prefixed_number|postfixed_street|postfixed_unit|join|format)/;
    const all = directoryRows(directory, 4, randomOf(22)).flatMap(({ rows, ...one }) =>
      /"function":"(?:regexp|p)/.test(JSON.stringify(one.source.conform)) &&
      !others.test(JSON.stringify(one.source.conform))
        ? [{ ...one, rows: rows.map(row => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, ` ${v}  `]))) }]
        : [],
    );
    const wanted = referenceValues(all);
    const unequal = all.flatMap(({ path, layer, source, rows }, i) => {
      const fills = compiled(expressionsOf(source.conform!, layer));
      return rows.flatMap((row, k) =>
        differences(fills, row, wanted[i]![k]!).map(
          name => `${path} ${name}: ${JSON.stringify(row)} -> ${wanted[i]![k]![name]}`,
        ),
      );
    });
    expect(all.length).toBeGreaterThan(100);
    expect(unequal).toEqual([]);
  });

  it('lets the definition of Jefferson, MO, pass its own test', () => {
    const { layers, left } = sourcesOf(directory, countyOf('29099'), 'addresses', false);
    expect(layers.map(({ file }) => file)).toEqual(['openaddresses/mo/jefferson/addresses-county.geojson']);
    expect(left.map(({ what }) => what).join()).not.toContain('jefferson.json');
  });
});

describe('definitions of OpenAddresses as expressions of place files', { tags: ['Python'] }, () => {
  it('make of rows what the reference implementation makes of them, for every definition of the directory', () => {
    const all = directoryRows(directory, 8, randomOf(Number(process.env.PLAT_SEED ?? 64)));
    const wanted = referenceValues(all);
    const untranslated: string[] = [];
    const unequal = new Map<string, string>();
    let rows = 0;
    let stopped = 0;
    for (const [i, { path, layer, source, rows: own }] of all.entries()) {
      let fills: ReturnType<typeof compiled>;
      try {
        fills = compiled(expressionsOf(source.conform!, layer));
      } catch (error) {
        if (!(error instanceof Untranslatable)) throw error;
        untranslated.push(`${path} ${layer}/${source.name}: ${error.message}`);
        continue;
      }
      for (const [k, row] of own.entries()) {
        rows++;
        const values = wanted[i]![k]!;
        if (values === null) stopped++;
        else
          for (const name of differences(fills, row, values))
            unequal.set(
              `${path} ${layer}/${source.name} ${name}`,
              `${JSON.stringify(row)} → ${JSON.stringify(values[name])}`,
            );
      }
    }
    expect(all.length).toBeGreaterThan(3_500);
    // A chain whose first step gives nothing stops the reference; here it gives nothing.
    expect(stopped / rows).toBeLessThan(0.01);
    expect(untranslated).toEqual([]);
    expect([...unequal].map(pair => pair.join(': '))).toEqual([]);
  });
});
