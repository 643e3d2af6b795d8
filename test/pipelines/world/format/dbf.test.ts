import { describe, expect, it } from 'vitest';
import { dbfHeader, dbfRecord, number, text } from '../../../../pipelines/world/format/dbf.ts';

const columns = [text('NAME', 6), number('SIZE', 7, 2)];

describe('a dBASE record', () => {
  it('pads text right and numbers left', () => {
    expect(dbfRecord(columns, { NAME: 'Ash', SIZE: 3.5 }).toString()).toBe(' Ash      3.50');
  });

  it('is blank where a value is missing', () => {
    expect(dbfRecord(columns, { NAME: null }).toString()).toBe(' '.repeat(14));
  });

  it('refuses what does not fit instead of cutting it', () => {
    expect(() => dbfRecord(columns, { NAME: 'Ashcroft' })).toThrow('DBF column NAME: "Ashcroft" is longer than 6');
    expect(() => dbfRecord(columns, { SIZE: 12_345.678 })).toThrow('DBF column SIZE: "12345.68" is longer than 7');
    expect(() => dbfHeader([text('WETLAND_TYPE', 9)], 0)).toThrow('names have at most ten characters');
  });

  it('has the length that the header says', () => {
    const header = dbfHeader(columns, 12);
    expect(header.readUInt32LE(4)).toBe(12);
    expect(header.readUInt16LE(8)).toBe(header.length);
    expect(header.readUInt16LE(10)).toBe(dbfRecord(columns, {}).length);
  });
});
