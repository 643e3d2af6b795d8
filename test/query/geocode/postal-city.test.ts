import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import nad from '../../../datasets/products/usdot-nad.ts';
import { localAnswer } from '../../../server/geocoder/local-tier.ts';
import { judged } from '../../../server/lookup/judgement.ts';
import { createFixture, dataset, type Fixture, point } from '../release-fixture.ts';
import { asker } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];

const address = (
  number: string,
  street: string,
  municipality: string | null,
  postal: string,
  zip: string | null,
  lng: number,
) => ({
  geometry: point(lng, 45),
  AddNo_Full: number,
  StNam_Full: street,
  Inc_Muni: municipality,
  Post_City: postal,
  State: 'ME',
  Zip_Code: zip,
});

beforeAll(async () => {
  fixture = await createFixture([dataset('usdot_nad', nad.layers)], {
    usdot_nad: {
      main: [
        {
          key: 'ME',
          place: 'ME',
          features: [
            address('12', 'Elm St', 'Hermonton', 'Bangorton', '04999', -69),
            address('14', 'Elm St', 'Unincorporated', 'Bangorton', '04999', -69.001),
            address('16', 'Oak St', 'Bangorton', 'Bangorton', '04999', -69.1),
            address('18', 'Pine St', 'Hermonton', 'Hermonton', null, -69.2),
            address('20', 'Ash St', 'Wilton', 'Wilton', '04998', -69.3),
          ],
        },
      ],
    },
  });
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

describe('an address with a municipality and a postal city', () => {
  it.each([
    '12 Elm St, Hermonton, ME',
    '12 Elm St, Bangorton, ME',
    '12 Elm St, Bangorton, ME 04999',
    '12 Elm St, Bangortn, ME',
  ])('%s is answered with its municipality', async text => {
    const [match] = await answered(text);
    expect(match).toMatchObject({ normalizedAddress: '12 ELM ST, HERMONTON, ME 04999', city: 'HERMONTON' });
    expect(judged(text, localAnswer(await ask(text)))).toHaveProperty('match');
  });

  it.each(['12 Elm St, Bangorton, ME', '12 Elm St, Hermonton, ME'])('%s costs nothing', async text =>
    expect((await answered(text))[0]?.similarity).toBe(1),
  );

  it('of another city is refused', async () => expect(await answered('12 Elm St, Portlandton, ME')).toEqual([]));

  it('in no municipality has the postal city', async () =>
    expect((await answered('14 Elm St, Bangorton, ME'))[0]?.city).toBe('BANGORTON'));

  it('is no other place than a row that names the postal city alone', async () =>
    expect(await answered('16 Oak St, Bangorton, ME')).toHaveLength(1));

  it('of a row without ZIP code agrees with a ZIP code whose rows name its city, either of them', async () => {
    const [match] = await answered('18 Pine St, 04999');
    expect(match).toMatchObject({ city: 'HERMONTON', similarity: 0.98 });
  });
});

describe('a city one letter off', () => {
  it.each(['20 Ash St, Wiltn, ME', '20 Ash St, Wilten, ME 04998'])('%s is a slip', async text => {
    expect(await answered(text)).toMatchObject([{ city: 'WILTON' }]);
    expect(judged(text, localAnswer(await ask(text)))).toHaveProperty('match');
  });

  it('is no slip where another city of the country is spelled so, which no layer knows', async () => {
    expect(await answered('20 Ash St, Milton, ME')).toEqual([]);
    // The ZIP code makes it an answer of geocode, and lookup says where it lies.
    expect(await answered('20 Ash St, Milton, ME 04998')).toMatchObject([{ city: 'WILTON', similarity: 0.9 }]);
    expect(judged('20 Ash St, Milton, ME 04998', localAnswer(await ask('20 Ash St, Milton, ME 04998')))).toMatchObject({
      disposition: 'no_match',
      hint: expect.stringContaining('another city'),
    });
  });
});
