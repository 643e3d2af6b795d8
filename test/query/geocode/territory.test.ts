import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import nad from '../../../datasets/products/usdot-nad.ts';
import { TIGER_LAYERS } from '../../../datasets/tiger/tiger-layers.ts';
import { parseAddress } from '../../../query/geocode/address/address.ts';
import { stateOf, stateOfZip } from '../../../query/geocode/address/state.ts';
import { verdictOf } from '../../../server/geocoder/verdict.ts';
import { createFixture, dataset, type Fixture } from '../release-fixture.ts';
import { asker, points, row } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await createFixture([dataset('usdot_nad', nad.layers), dataset('census_tiger', TIGER_LAYERS)], {
    usdot_nad: {
      main: [
        points('PR', [
          ...row('CALLE SOL', 'SAN JUANITO', '00999', ['150', '152'], -66.1, 18.46),
          ...row('CALLE 12', 'SAN JUANITO', '00999', ['7', 'A12'], -66.1, 18.461),
          ...row('CALLE A', 'SAN JUANITO', '00999', ['3'], -66.1, 18.462),
          ...row('AVE ASHFORD', 'SAN JUANITO', '00999', ['1055'], -66.07, 18.457),
          ...row('AVE LUIS MUNOZ RIVERA', 'SAN JUANITO', '00999', ['255'], -66.07, 18.458),
          ...row('CARR 2', 'BAYAMONCITO', '00998', ['12'], -66.2, 18.4),
          ...row('PASEO DE LA PRINCESA', 'SAN JUANITO', '00999', ['1'], -66.1, 18.463),
        ]),
        points('GU', [
          ...row('MARINE CORPS DR', 'HAGATNITA', '96999', ['1270'], 144.8, 13.5),
          ...row('CHALAN SAN ANTONIO', 'TAMUNITO', '96998', ['415'], 144.78, 13.49),
          ...row('ROUTE 4', 'HAGATNITA', '96999', ['202'], 144.75, 13.47),
        ]),
      ],
    },
  });
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

/** What is asked, and number and street of the one answer. */
const FOUND: readonly (readonly [asked: string, line: string])[] = [
  ['150 Calle Sol, San Juanito, PR 00999', '150 CALLE SOL'],
  ['150 calle sol san juanito pr', '150 CALLE SOL'],
  ['150 Calle Sol, San Juanito, Puerto Rico', '150 CALLE SOL'],
  ['150 Calle Sol, San Juanito, P.R. 00999', '150 CALLE SOL'],
  ['150 Calle Sol, San Juanito, Puerto Rico 00999, USA', '150 CALLE SOL'],
  ['150 Calle Sol, San Juanito, PR 00999, EE. UU.', '150 CALLE SOL'],
  ['150 C/ Sol, San Juanito, PR', '150 CALLE SOL'],
  ['Calle Sol 150, San Juanito, PR', '150 CALLE SOL'],
  ['Calle Sol #150, San Juanito, PR', '150 CALLE SOL'],
  ['Calle Sol # 150, San Juanito, PR', '150 CALLE SOL'],
  ['Calle Sol Num. 150, San Juanito, PR', '150 CALLE SOL'],
  ['Calle Sol, 150, San Juanito, PR', '150 CALLE SOL'],
  ['#150 Calle Sol, San Juanito, PR', '150 CALLE SOL'],
  ['150 Calle Sol Apto 4, San Juanito, PR', '150 CALLE SOL'],
  ['150 Calle Sol, Piso 2, San Juanito, PR', '150 CALLE SOL'],
  ['Apt 4, 150 Calle Sol, San Juanito, PR', '150 CALLE SOL'],
  ['Urb. Las Gladiolas, 150 Calle Sol, San Juanito, PR 00999', '150 CALLE SOL'],
  ['URB LAS GLADIOLAS\n150 CALLE SOL\nSAN JUANITO PR 00999', '150 CALLE SOL'],
  ['Cond. Torre del Mar, 150 Calle Sol, San Juanito, PR', '150 CALLE SOL'],
  ['Edificio Medina, 150 Calle Sol, San Juanito, PR', '150 CALLE SOL'],
  ['PR, San Juanito, 150 Calle Sol', '150 CALLE SOL'],
  ['150 Calle Sol, 00999', '150 CALLE SOL'],
  ['150 Calle Sol, San Juanito, PR 999', '150 CALLE SOL'],
  ['7 Calle 12, San Juanito, PR', '7 CALLE 12'],
  ['3 Calle A, San Juanito, PR', '3 CALLE A'],
  ['1055 Ave Ashford, San Juanito, PR', '1055 AVE ASHFORD'],
  ['1055 Avenida Ashford, San Juanito, PR', '1055 AVE ASHFORD'],
  ['1055 Avda. Ashford, San Juanito, PR', '1055 AVE ASHFORD'],
  ['Ave. Ashford 1055, San Juanito, PR', '1055 AVE ASHFORD'],
  ['Ave. Ashford #1055, San Juanito, Puerto Rico', '1055 AVE ASHFORD'],
  ['255 Ave. Luis Muñoz Rivera, San Juanito, PR 00999', '255 AVE LUIS MUNOZ RIVERA'],
  ['255 avenida luis munoz rivera, san juanito, puerto rico', '255 AVE LUIS MUNOZ RIVERA'],
  ['12 Carr. 2, Bayamoncito, PR', '12 CARR 2'],
  ['12 Carretera 2, Bayamoncito, PR 00998', '12 CARR 2'],
  ['1 Paseo de la Princesa, San Juanito, PR', '1 PASEO DE LA PRINCESA'],
  ['1270 Marine Corps Dr, Hagatnita, GU 96999', '1270 MARINE CORPS DR'],
  ['1270 Marine Corps Drive, Hagatnita, Guam', '1270 MARINE CORPS DR'],
  ['1270 Marine Corps Drive, Hagatnita, Territory of Guam', '1270 MARINE CORPS DR'],
  ['415 Chalan San Antonio, Tamunito, Guam 96998', '415 CHALAN SAN ANTONIO'],
  ['Ste 200, 415 Chalan San Antonio, Tamunito, GU', '415 CHALAN SAN ANTONIO'],
  ['202 Route 4, Hagatnita, GU', '202 ROUTE 4'],
  ['202 Rte. 4, Hagatnita, Guam', '202 ROUTE 4'],
];

describe('addresses of Puerto Rico and Guam', () => {
  it.each(FOUND)('%s', async (asked, line) => {
    const found = await answered(asked);
    expect(found.map(m => [m.accuracyType, m.normalizedAddress.split(',')[0]])).toEqual([['rooftop', line]]);
  });

  it.each([
    // A kilometre is no house number, and the middle of the road no answer to it.
    'Carr 2 Km 12.3, Bayamoncito, PR',
    'Km 12.5 Carr 2, Bayamoncito, PR',
    '12.3 Carr 2, Bayamoncito, PR',
    'Calle Sol #999, San Juanito, PR',
    '999 Calle Sol, San Juanito, PR',
    '150 Calle Luna, San Juanito, PR',
    '150 Calle Sol, San Juanito, VI 00802',
    '1270 N Marine Corps Drive, Hagatnita, Guam',
  ])('%s is none of them', async asked => expect(await answered(asked)).toEqual([]));
});

describe('the other territories', () => {
  it.each([
    ['12 Beach Rd, Charlotte Amalie, VI 00802', 'VI'],
    ['12 Beach Rd, Charlotte Amalie, U.S. Virgin Islands', 'VI'],
    ['12 Beach Rd, Christiansted, USVI', 'VI'],
    ['12 Beach Rd, Saipan, MP 96950', 'MP'],
    ['12 Beach Rd, Saipan, Northern Mariana Islands', 'MP'],
    ['12 Beach Rd, Saipan, CNMI 96950', 'MP'],
    ['12 Main Rd, Pago Pago, AS 96799', 'AS'],
    ['12 Main Rd, Pago Pago, American Samoa', 'AS'],
  ])('are read and find nothing: %s', async (asked, state) => {
    expect(parseAddress(asked).located[0]?.state).toBe(state);
    expect(verdictOf({ provider: 'other', ...(await ask(asked)) }).kind).toBe('none');
  });

  it('have their codes, names and ZIP codes', () => {
    expect(['PR', 'PUERTO RICO', 'GUAM', 'U S VIRGIN ISLANDS', 'CNMI'].map(stateOf)).toEqual([
      'PR',
      'PR',
      'GU',
      'VI',
      'MP',
    ]);
    expect(['00901', '96910', '96932', '96950', '96799', '00802', '96939'].map(stateOfZip)).toEqual([
      'PR',
      'GU',
      'GU',
      'MP',
      'AS',
      'VI',
      null,
    ]);
  });
});
