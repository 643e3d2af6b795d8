import { describe, expect, it } from 'vitest';
import { unsupportedForm } from '../../../../query/geocode/address/unsupported-form.ts';

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'a post office box': [
    'PO Box 123, Bangor, ME 04401',
    'P.O. Box 123',
    'p o box 11890 bangor me',
    'P. O. Box 5',
    'POBOX 12, Bangor ME',
    'P.O.Box12',
    'P0 Box 12',
    'POB 12',
    'P.O.B. 99 Boston MA',
    'Post Office Box 44, Augusta ME',
    'Postal Box 9',
    'PO Bx 7',
    'PO Drawer 7',
    'PO #45, Bangor',
    'Box 123, Bangor ME',
    'BOX 11890 BANGOR ME',
    'Lock Box 5 Bangor',
    'Smith Co lock box 427, Bangor ME',
    'Caller 1200, Washington DC',
    'DRAWER 12 BANGOR ME',
    'PO BOX D, Bangor ME',
    'PMB 12, PO Box 34, Bangor ME',
    'PMB 12 PO BOX 34',
    'Apartado 1234, San Juan PR',
    '73 Harlow St, P.O. Box 12, Bangor ME',
    'ＰＯ Ｂｏｘ １２',
  ],
  'a rural route': [
    'RR 2 Box 152, Hampden ME',
    'R.R. 2 Box 18D',
    'RR2 Box 5',
    'RR 4, Bangor ME',
    'Rural Route 3, Bangor',
    'RURAL ROUTE NO 3 BOX 45',
    'RFD 4, Bangor ME',
    'RFD ROUTE 4 BOX 87A',
    'RD 2 Box 5 Dover DE',
    'Route 2 Box 45, Hampden ME',
    'Rt 1, Box 22',
    'Route Box # 15, Hampden ME',
    'RTE 5 BOX 9B',
    'PMB 5 RR 1 BOX 2',
    'RR 5 Buzon 12, Bayamon PR',
  ],
  'a highway contract route': [
    'HC 68 Box 23A, Moosehead ME',
    'HC68 BOX 23A',
    'H.C. 1 Box 5',
    'HCR 72 Box 7',
    'HC 02 BZN 1234 Lares PR',
    'Highway Contract 12',
    'HWY CONTRACT ROUTE 68 BOX 98-2',
    'Star Route A Box 12',
    'STAR RT 5',
  ],
  'an overseas military or diplomatic address (APO, FPO, DPO)': [
    'PSC 802 Box 74, APO AE 09499',
    'Unit 2050 Box 4190 APO AP 96278',
    'CMR 1250, APO AA 34045',
    'USCGC Hamilton, FPO AP 96667-3931',
    'Unit 9900 Box 0500 DPO AE 09701',
    'A.P.O. San Francisco',
    'SSgt Doe, Armed Forces Europe',
    'fpo ae 09567',
    'Fleet Post Office 96601',
  ],
  'general delivery': [
    'General Delivery, Bangor ME 04401',
    'GENERAL DELIVERY TAMPA FL 33602-9999',
    'Gen Delivery Bangor',
    'Gen. Del., Bangor ME',
    'Entrega General, San Juan PR',
  ],
  'a carrier route': [
    'C012',
    'R001',
    'R001, Bangor ME 04401',
    'Carrier Route 12, Bangor',
    'Bangor ME 04401 C012',
    'ECRWSS C012',
    'h003',
  ],
};

const ACCEPTED = [
  '73 Harlow St, Bangor, ME 04401',
  '12 Box Canyon Rd, Moab UT',
  'Bin 73 Wine Bar, 73 Harlow St, Bangor, ME',
  '100 Post Office Square, Boston MA',
  '100 Post Office Sq',
  '5 Boxwood Ln',
  '12400 RR 620 N, Austin TX',
  '12400, RR 620, Austin TX',
  '500 RD 5, Somewhere NE',
  '5120 State Route 9',
  '123 County Road 12',
  '123 CR 12',
  '123 FM 1234',
  '99 Apo Dr, Honolulu HI',
  '25 Apollo Rd',
  '12 Depot St',
  '500 Broadway Apt C012',
  '500 Broadway # R001',
  '500 Broadway Unit B101',
  'N6W23001 Bluemound Rd, Waukesha WI',
  '12 Rural Hill Rd',
  '4 General Pershing St',
  '4 General Delaney Ave',
  '123 Main St PMB 45',
  '10 Carrier Ave',
  '12 Starr Rd',
  '20 Star Route Rd',
  '1 Military Post Rd',
  '123 S 400 E, Salt Lake City UT',
  '',
  '   ',
  '🙂🙂',
  "'; DROP TABLE parcels; --",
  '1234567890',
];

describe('forms that name no place on a street', () => {
  for (const [name, addresses] of Object.entries(REFUSED))
    it.each(addresses)(`${name}: %s`, address => expect(unsupportedForm(address)?.form).toBe(name));

  it.each(ACCEPTED)('leaves alone: %s', address => expect(unsupportedForm(address)).toBeNull());

  it.each([
    ['73 Harlow St, P.O. Box 12, Bangor ME', '73 HARLOW ST, BANGOR ME'],
    ['PO Box 123, 73 Harlow St, Bangor, ME 04401', '73 HARLOW ST, BANGOR, ME 04401'],
    ['73 Harlow St PO Box 12, Bangor, ME', '73 HARLOW ST, BANGOR, ME'],
    ['P.O. Box # 12 73 Harlow St, Bangor, ME', '73 HARLOW ST, BANGOR, ME'],
    ['RR 2 Box 152, 12 Main Rd, Hampden ME', '12 MAIN RD, HAMPDEN ME'],
    ['73 Harlow St, General Delivery, Bangor ME', '73 HARLOW ST, BANGOR ME'],
  ])('names the street part of %s', (address, street) =>
    expect(unsupportedForm(address)?.remedy).toBe(`send its street part alone, ${street}`),
  );

  it.each([
    'PO Box 123, Bangor, ME 04401',
    'RR 2 Box 152, Hampden ME',
    'PSC 3 Box 4120, APO AE 09021',
    'HC 68 Box 23A, Moosehead ME',
  ])('names no street part of %s', address =>
    expect(unsupportedForm(address)?.remedy).toContain('send a street address'),
  );

  it('takes no time over the longest hostile text', () => {
    for (const unit of ['P O ', 'RR ', 'H C 1', '1 ', 'BOX ', ', ', '# '])
      expect(unsupportedForm(unit.repeat(256).slice(0, 256))).toSatisfy(v => v === null || typeof v.form === 'string');
  });
});
