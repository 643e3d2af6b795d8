import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Value } from '../../../datasets/dataset.ts';
import { RecordWriter } from '../../../pipelines/overlay/records.ts';
import { type Finding, toAnswer } from '../../../query/evaluate/finding.ts';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import { findingOf, type Reason, reasonOf } from '../../../query/parcel/reason.ts';
import { RecordFile } from '../../../query/parcel/record-file.ts';
import { encodePage, RecordPage, type StoredType } from '../../../query/parcel/record-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-records-'));
const path = join(folder, 'a.records');
const packed = join(folder, 'packed.records');
const COUNT = 75;
const TYPES = ['number', 'number', 'integer', 'boolean', 'string'] as const;
const OK: Reason = {
  status: 'ok',
  notes: ['a note'],
  confidence: 'high',
  source: 'a;b',
  sourceUrl: null,
  vintage: '2024',
};
const ABSENT: Reason = { ...OK, status: 'absent', notes: ['nothing here'], confidence: 'medium' };
const FAILED: Reason = { ...OK, status: 'failed', source: null, vintage: null, error: 'gone', retryable: true };
const REASONS = [OK, ABSENT, FAILED];

/** What stands in field f of record r: plain numbers, tenths and odd ones, texts of several bytes a letter. */
function storedAt(f: number, r: number): Value {
  if (codeOf(f, r) !== 0) return null;
  return [r * 0.1 + 1 / 3, Math.round(r * 7.3) / 10, r - 40, r % 3 === 0, `Straße ${r % 5}`][f]!;
}
const codeOf = (f: number, r: number) => (f === 3 ? 0 : (r + f) % 4 === 3 ? 1 : r === 50 ? 2 : 0);

function write(to: string, deflated: boolean): void {
  const writer = new RecordWriter(to, TYPES, deflated);
  const block = (first: number, count: number) =>
    writer.add(
      TYPES.map((_, f) => ({
        codes: Array.from({ length: count }, (_, i) => codeOf(f, first + i)),
        values: Array.from({ length: count }, (_, i) => storedAt(f, first + i)),
      })),
      count,
    );
  block(0, 64);
  block(64, COUNT - 64);
  const fields = TYPES.map((type, f) => ({ name: `field${f}`, type, reasons: REASONS }));
  expect(writer.finish({ computedAt: '2026-11-21T00:00:00.000Z', fields })).toBe(COUNT);
  writer.close();
}

beforeAll(() => {
  write(path, false);
  write(packed, true);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const expected = (r: number) =>
  new Map(TYPES.map((_, f) => [`field${f}`, findingOf(REASONS[codeOf(f, r)]!, storedAt(f, r))]));

describe.each([
  ['a record file', () => path],
  ['a record file of deflated pages', () => packed],
])('%s', (_, pathOf) => {
  it('gives every record back as it was, whole and in part', () => {
    const file = new RecordFile(pathOf());
    for (let r = 0; r < COUNT; r++) expect(file.findings(r)).toEqual(expected(r));
    expect([...file.findings(7, new Set(['field4'])).keys()]).toEqual(['field4']);
    expect(file.reasons('field1')).toEqual(REASONS);
    expect(file.reasons('other')).toEqual([]);
    expect(() => file.findings(COUNT)).toThrow(RangeError);
    expect(() => file.findings(-1)).toThrow(RangeError);
    file.close();
  });

  it('answers or throws DamagedFile whatever bit has changed, and wherever it ends', () => {
    const sound = readFileSync(pathOf());
    const other = join(folder, 'b.records');
    let refused = 0;
    const read = () => {
      let file: RecordFile | null = null;
      try {
        file = new RecordFile(other);
        for (let r = 0; r < COUNT; r++) expect(file.findings(r)).toEqual(expected(r));
      } catch (error) {
        if (!(error instanceof DamagedFile)) throw error;
        expect(error.message).not.toContain(folder);
        refused++;
      } finally {
        file?.close();
      }
    };
    let tried = 0;
    for (let byte = 0; byte < sound.length; byte += byte < 64 ? 1 : 7) {
      const bytes = Buffer.from(sound);
      bytes[byte] = bytes[byte]! ^ (1 << (byte % 8));
      writeFileSync(other, bytes);
      read();
      tried++;
    }
    writeFileSync(other, sound);
    for (let size = sound.length - 1; size >= 0; size -= 97) {
      truncateSync(other, size);
      read();
      tried++;
    }
    expect(refused).toBe(tried);
  });
});

describe('a page of records', () => {
  it('keeps numbers exactly, however they are kept', () => {
    const numbers = [0, -0, 0.1, 12_345.6, 1e-7, 2 ** 31, -(2 ** 31), 0.1234, 1e300, 3];
    for (const some of [numbers, [1, 2, 3], [0.1, 0.7, -3.2], [0.1234, 0.9999], [-0], [5, 5, 5], [2 ** 31]]) {
      const page = encodePage(['number'], [{ codes: some.map(() => 0), values: some }], some.length);
      for (const [r, number] of some.entries())
        expect(Object.is(new RecordPage(page, ['number']).value(0, r), number)).toBe(true);
    }
  });

  it('tells values that all records share only once', () => {
    const page = (types: StoredType[], value: (r: number) => Value) => {
      const records = Array.from({ length: 32 }, (_, r) => r);
      return encodePage(types, [{ codes: records.map(() => 0), values: records.map(value) }], 32).length;
    };
    expect(page(['string'], () => 'Penobscot')).toBeLessThan(30);
    expect(page(['number'], r => r / 10)).toBeLessThan(page(['number'], r => r / 3));
  });
});

describe('a reason', () => {
  it('makes the same record as the finding it is of', () => {
    const dataset = { id: 'a_dataset', url: 'https://example.gov' };
    const base = { value: 3, notes: ['one', 'two', 'one'], confidence: 'medium' } as const;
    const citations = [
      { source: 'a', url: null, vintage: '2024' },
      { source: 'b', url: 'https://b', vintage: '2024' },
      { source: 'b', url: 'https://c', vintage: '2025' },
    ];
    const findings: Finding[] = [
      { ...base, status: 'ok', citations },
      { ...base, status: 'ok', citations: [] },
      { ...base, status: 'absent', value: null, citations: citations.slice(0, 1) },
      { ...base, status: 'failed', value: null, citations: [], error: 'no', retryable: false },
    ];
    for (const finding of findings)
      expect(toAnswer(findingOf(reasonOf(finding), finding.value), dataset, '')).toEqual(
        toAnswer(finding, dataset, ''),
      );
  });
});
