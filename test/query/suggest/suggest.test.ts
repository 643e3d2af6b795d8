import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Parcel } from '../../../pipelines/world/settlement/parcel.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { Suggestion } from '../../../query/suggest/shortlist.ts';
import type { SuggestRequest } from '../../../query/suggest/suggest.ts';
import { metresBetween } from '../../oracle/geodesic.ts';
import { syntheticHome, syntheticWorld } from '../../synthetic-home.ts';

type Address = Readonly<Record<string, unknown>>;
type Ring = Parcel['polygons'][number][number];

let engine: Engine;
let parcels: Parcel[];
let addresses: Address[];
let roads: string[];
let towns: { readonly town: string; readonly county: string; readonly code: string }[];

beforeAll(async () => {
  const { counties } = await syntheticWorld();
  parcels = counties.flatMap(county => [...county.parcels()]);
  addresses = counties.flatMap(county => [...county.addresses()]);
  roads = [...new Set(counties.flatMap(county => Array.from(county.roads(), ({ name }) => name)))];
  towns = counties.map(({ county: { town, name, code } }) => ({ town, county: name, code }));
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 100, memoryMb: 128 });
});
afterAll(() => engine?.close());

const ask = (text: string, more: Partial<SuggestRequest> = {}): Promise<readonly Suggestion[]> =>
  engine.suggest(
    { text, point: null, kinds: ['address', 'parcel', 'owner', 'street', 'place'], limit: 10, ...more },
    { deadline: Date.now() + 60_000 },
  );

/** Whether a ring winds around a point: an edge to its right crosses its parallel. */
const winds = (ring: Ring, { lng, lat }: { readonly lng: number; readonly lat: number }): boolean =>
  ring.reduce((is, [x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length]!;
    return y > lat !== v > lat && lng < x + ((lat - y) / (v - y)) * (u - x) ? !is : is;
  }, false);
const holds = ({ polygons }: Parcel, point: { readonly lng: number; readonly lat: number }): boolean =>
  polygons.some(([shell, ...holes]) => winds(shell!, point) && !holes.some(hole => winds(hole, point)));
const cornerOf = ({ polygons }: Parcel) => ({ lng: polygons[0]![0]![0]![0], lat: polygons[0]![0]![0]![1] });
const typed = (text: string) => text.toLowerCase();

it('finds every parcel by its number, and each owner where they own, with the id that enrichment answers', async () => {
  for (const [i, parcel] of parcels.entries()) {
    const number = String(parcel.roll.MAP_BK_LOT);
    const of = await ask(number.replaceAll('-', ' '), { point: cornerOf(parcel), kinds: ['parcel'] });
    // Both counties count from one, and a corner may be nearer to another parcel of the number.
    const found = of.find(one => one.text.split(',')[0] === number && holds(parcel, one));
    expect(found?.kind, `${number} lies in its parcel`).toBe('parcel');
    const owner = String(parcel.roll.OWNER1);
    const [by] = await ask(typed(owner), { point: found!, kinds: ['owner'] });
    expect([by!.text, by!.kind]).toEqual([owner, 'owner']);
    // Where several are stacked, each may be the nearest of its owner.
    expect(holds(parcel, by!), `${owner} owns there`).toBe(true);
    if (parcel.roll.LOC_UNIT === null) expect(by!.parcelId).toBe(found!.parcelId);
    if (i % 40 > 0) continue;
    const verdict = await engine.matchParcel(found!, null, { deadline: Date.now() + 60_000 });
    const ids =
      verdict.status === 'matched' ? [verdict.parcel] : verdict.status === 'ambiguous' ? verdict.candidates : [];
    expect(ids.map(({ parcelId }) => parcelId)).toContain(found!.parcelId);
  }
});

it('finds every address where it stands, with its parcel, and nothing for a number that no file has', async () => {
  for (const { Add_Number, StNam_Full, Inc_Muni, State, Zip_Code, Longitude, Latitude, Unit } of addresses) {
    const point = { lng: Number(Longitude), lat: Number(Latitude) };
    const name = String(StNam_Full).replace('US HWY 1', 'US HIGHWAY 1');
    const [found] = await ask(`${Add_Number} ${typed(name)}`, { point, kinds: ['address'] });
    expect(found!.text).toBe(`${Add_Number} ${name}, ${String(Inc_Muni).toUpperCase()}, ${State} ${Zip_Code}`);
    expect(metresBetween(point.lng, point.lat, found!.lng, found!.lat)).toBeLessThan(0.05);
    if (Unit !== null) continue;
    const [number] = parcels.filter(parcel => holds(parcel, point)).map(({ roll }) => String(roll.MAP_BK_LOT));
    const [parcel] = await ask(number!, { point, kinds: ['parcel'], limit: 1 });
    expect(found!.parcelId, found!.text).toBe(parcel!.parcelId);
  }
  expect(await ask('99999 main st', { kinds: ['address'] })).toEqual([]);
});

it('finds streets as they are written and as they are said, towns, counties and states', async () => {
  for (const road of roads.filter(name => / (?:St|Ave)$/.test(name))) {
    const spoken = road.replace(/ St$/, ' Street').replace(/ Ave$/, ' Avenue');
    for (const text of [road, spoken, spoken.slice(0, -2)]) {
      const streets = (await ask(text, { kinds: ['street'] })).map(({ text: street }) => street.split(',')[0]);
      expect(streets, text).toContain(road.toUpperCase());
    }
  }
  for (const { town, county, code } of towns) {
    const texts = (await ask(town, { kinds: ['place'] })).map(({ text }) => text);
    expect(texts).toContain(`${town.toUpperCase()}, ${code}`);
    const counties = (await ask(`${county} cou`, { kinds: ['place'] })).map(({ text }) => text);
    expect(counties).toContain(`${county.toUpperCase().replace(/ COUNTY$/, '')} COUNTY, ${code}`);
  }
  expect((await ask('maine', { kinds: ['place'] })).map(({ text }) => text)).toContain('MAINE');
});

it('suggests nothing but what is there and begins with the text, in geodesic metres from the point', async () => {
  const owners = new Set(parcels.map(({ roll }) => String(roll.OWNER1)));
  const numbers = new Set(parcels.map(({ roll }) => String(roll.MAP_BK_LOT)));
  const lines = new Set(
    addresses.map(({ Add_Number, StNam_Full }) => `${Add_Number} ${StNam_Full}`.replace('HWY', 'HIGHWAY')),
  );
  const situs = new Set(
    parcels.map(({ roll }) =>
      String(roll.PROP_LOC)
        .replace('HWY', 'HIGHWAY')
        .replace(/ UNIT .*/, ''),
    ),
  );
  const point = cornerOf(parcels[77]!);
  const kinds = new Set<string>();
  const { Add_Number: number, StNam_Full: street } = addresses.find(({ StNam_Full }) =>
    / St$/i.test(String(StNam_Full)),
  )!;
  const numbered = [`${number} `, `${number} ${typed(String(street)).slice(0, 2)}`];
  for (const text of [...numbered, '00', '001-0', 'ma', 'so', 'to', 'le', 'fi', 'us', 'jo']) {
    const found = await ask(text, { point });
    const metres = found.map(({ lng, lat }) => metresBetween(point.lng, point.lat, lng, lat));
    if (new Set(found.map(({ kind }) => kind)).size === 1 && ['parcel', 'address'].includes(found[0]!.kind))
      expect(metres, text).toEqual([...metres].sort((a, b) => a - b));
    for (const { kind, text: shown } of found) {
      kinds.add(kind);
      const whole = kind === 'parcel' ? numbers : kind === 'owner' ? owners : null;
      if (whole) expect(whole.has(shown.split(',')[0]!), shown).toBe(true);
      if (kind === 'address')
        expect(lines.has(shown.split(',')[0]!) || situs.has(shown.split(',')[0]!), shown).toBe(true);
      const plain = (part: string) => part.toUpperCase().replace(/[^A-Z0-9 ]/g, kind === 'parcel' ? '' : ' ');
      expect(` ${plain(shown)}`, `${text}: ${shown}`).toContain(
        kind === 'owner' || kind === 'street' ? ` ${plain(text)}` : plain(text),
      );
    }
  }
  expect([...kinds].sort()).toEqual(['address', 'owner', 'parcel', 'place', 'street']);
});

it('forgives one typing error where nothing begins as it was typed, and no second one', async () => {
  const { roll } = parcels.find(({ roll: { OWNER1 } }) => String(OWNER1).length > 9)!;
  const owner = String(roll.OWNER1);
  const errors = [
    owner.slice(0, 3) + owner.slice(4),
    `${owner.slice(0, 3)}Q${owner.slice(4)}`,
    `${owner.slice(0, 3)}Q${owner.slice(3)}`,
    owner.slice(0, 2) + owner[3] + owner[2] + owner.slice(4),
  ];
  for (const text of errors)
    expect(
      (await ask(text, { kinds: ['owner'] })).map(({ text: shown }) => shown),
      text,
    ).toContain(owner);
  const twice = `Q${owner.slice(1, 4)}Q${owner.slice(5)}`;
  expect((await ask(twice, { kinds: ['owner'] })).map(({ text }) => text)).not.toContain(owner);
  const [street] = await ask('101 haborr st', { kinds: ['address', 'street'] });
  expect(street?.text ?? '').not.toContain('HARBOR');
  expect((await ask('habor st', { kinds: ['street'] }))[0]!.text).toMatch(/^HARBOR ST/);
});
