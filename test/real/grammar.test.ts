import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { type Expression, OPERATORS, parseExpression } from '../../datasets/grammar/expression.ts';
import { compile } from '../../query/evaluate/condition/condition.ts';

const file = new URL('../../../shared/design/fetch_fields.csv', import.meta.url);

describe('the design of all fetch fields', { tags: ['design'] }, () => {
  const fields = existsSync(file) ? (parse(readFileSync(file), { columns: true }) as Record<string, string>[]) : [];

  test('every expression parses, and every condition compiles', () => {
    const operators = new Set<string>();
    let conditions = 0;
    const visit = (expression: Expression) => {
      operators.add(expression.op);
      for (const where of [expression.where, ...expression.sources.map(s => s.where)])
        if (where) {
          compile(where, '2026-11-20');
          conditions++;
        }
      for (const input of Object.values(expression.inputs)) if ('op' in input) visit(input);
    };
    for (const field of fields) visit(parseExpression(field.operator!));
    expect(fields.length).toBeGreaterThan(300);
    expect([...operators].sort()).toEqual(Object.keys(OPERATORS).sort());
    expect(conditions).toBeGreaterThan(90);
  });

  test('every input that names a field names one of the design', () => {
    const names = new Set([...fields.map(f => f.name!), 'parcel_area_m2']);
    for (const field of fields)
      for (const input of Object.values(parseExpression(field.operator!).inputs))
        if ('field' in input) expect(names, field.name).toContain(input.field);
  });
});
