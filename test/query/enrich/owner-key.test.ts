import { describe, expect, it } from 'vitest';
import { isCompany, mailingKey, ownerKey } from '../../../query/enrich/owner-key.ts';
import { polygonDistance } from '../../../query/geometry/polygon-distance.ts';
import { rectangle } from '../release-fixture.ts';

describe('owners are the same', () => {
  it.each([
    ['Acme Holdings, L.L.C.', 'ACME  HOLDINGS LLC'],
    ['Acme Holdings Limited Liability Company', 'ACME HOLDINGS LLC'],
    ['Acme Inc.', 'ACME INCORPORATED'],
    ['Acme L.P.', 'ACME LIMITED PARTNERSHIP'],
    ['Smith Family Trustees', 'SMITH FAMILY TRUST'],
    ['SMITH JANE ET AL', 'Smith, Jane Etal'],
    ['SMITH JANE & SMITH ROBERT', 'Smith Robert and Smith Jane'],
    ['SMITH JANE / SMITH ROBERT', 'SMITH ROBERT & SMITH JANE'],
    ["O'Brien, José", 'OBRIEN JOSE'],
    ['SMITH & JONES LLC', 'SMITH AND JONES LLC'],
  ])('%s and %s', (a, b) => expect(ownerKey(a)).toBe(ownerKey(b)));

  it.each([
    ['SMITH JANE', 'SMITH JOAN'],
    ['SMITH & JONES LLC', 'JONES & SMITH LLC'],
    ['ACME LLC', 'ACME INC'],
    ['ACME ONE LLC', 'ACME TWO LLC'],
  ])('not %s and %s', (a, b) => expect(ownerKey(a)).not.toBe(ownerKey(b)));

  it.each([
    null,
    undefined,
    '',
    '  ',
    '-',
    'N/A',
    'UNKNOWN',
    'Owner unknown',
    'WITHHELD',
    'Name Withheld by Request',
    'CONFIDENTIAL',
    'NOT AVAILABLE',
  ])('never when withheld: %s', owner => expect(ownerKey(owner)).toBeNull());

  it('by mailing address only when it is whole', () => {
    const whole = { mailadd: 'PO Box 119', mail_city: 'Bangor', mail_state2: 'ME', mail_zip: '04401-1234' };
    expect(mailingKey(whole)).toBe(mailingKey({ ...whole, mailadd: 'P.O. BOX 119', mail_zip: '04401' }));
    expect(mailingKey(whole)).not.toBe(mailingKey({ ...whole, mail_address2: 'STE 2' }));
    for (const lack of ['mailadd', 'mail_city', 'mail_state2'])
      expect(mailingKey({ ...whole, [lack]: null })).toBeNull();
    expect([isCompany('ACME LLC'), isCompany('SMITH JANE'), isCompany('CITY OF BANGOR')]).toEqual([true, false, false]);
  });
});

describe('metres between parcels', () => {
  const a = rectangle([0, 0, 0.001, 0.001]);
  it('are zero where they touch, overlap or hold one another', () => {
    for (const b of [
      rectangle([0.001, 0, 0.002, 0.001]),
      rectangle([0.001, 0.001, 0.002, 0.002]),
      rectangle([0.0005, 0.0005, 0.003, 0.003]),
      rectangle([0.0002, 0.0002, 0.0003, 0.0003]),
      // A cross: no corner of one lies in the other.
      rectangle([-0.001, 0.0004, 0.002, 0.0006]),
    ])
      expect([polygonDistance(a, b, 100), polygonDistance(b, a, 100)]).toEqual([0, 0]);
  });
  it('are those of the boundaries, none beyond the limit, and count the hole of one around the other', () => {
    expect(polygonDistance(a, rectangle([0.0012, 0, 0.002, 0.001]), 100)).toBeCloseTo(22.264, 3);
    expect(polygonDistance(a, rectangle([0.0012, 0, 0.002, 0.001]), 22.2)).toBe(Number.POSITIVE_INFINITY);
    const around = rectangle([-0.01, -0.01, 0.01, 0.01], [-0.001, -0.001, 0.002, 0.002]);
    expect(polygonDistance(a, around, 200)).toBeCloseTo(110.574, 2);
  });
});
