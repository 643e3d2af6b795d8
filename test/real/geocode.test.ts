import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRADICTIONS } from '../../bench/geocode/contradiction-form.ts';
import { FORMS, type Form } from '../../bench/geocode/form.ts';
import { tallyForms } from '../../bench/geocode/form-tally.ts';
import { HOSTILE } from '../../bench/geocode/hostile-form.ts';
import { type Judged, judge, metresTo, Tally } from '../../bench/geocode/judge.ts';
import { baseOf, PLACES, truthsOf } from '../../bench/geocode/truth.ts';
import { variantsOf } from '../../bench/geocode/variant.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { run } from '../../pipelines/run.ts';
import { Random } from '../../pipelines/world/random.ts';
import { geocode } from '../../query/geocode/geocode.ts';
import { createCache } from '../../query/release/cache.ts';
import { Layers } from '../../query/release/layers.ts';
import { openRelease, type Release } from '../../query/release/open-release.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** Whether an answer to a form is right or wrong; what a hostile one is asked may be refused. */
const isJudged = ({ group }: Form) => group !== 'hostile';

/** The layers that address answers are made of, and none of the rest. */
const LAYERS = [
  'usdot_nad:main',
  'fema_usa_structures:main',
  'census_tiger:roads',
  'census_tiger:place',
  'census_tiger:county',
];

describe(`addresses of real places${present ? '' : ` (${MISSING})`}`, { tags: ['published-files'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-geocode-'));
  let release: Release;
  const cache = createCache(128);
  const ask = (address: string, from = release) =>
    geocode(address, { release: from, cache, deadline: Date.now() + 60_000, stopped: () => false });

  beforeAll(async () => {
    for (const name of ['bangor-me', 'forest-city-nc']) {
      const whole = builtInPlace(name);
      const place = { ...whole, layers: whole.layers.filter(l => LAYERS.includes(`${l.dataset}:${l.layer}`)) };
      await run({ home, sources: SOURCES, place, threads: 2, progress: SILENT });
    }
    const washington = builtInPlace('washington-dc');
    const lots = { ...washington, layers: washington.layers.filter(l => l.dataset === 'parcel_store') };
    await run({ home, sources: SOURCES, place: lots, threads: 2, progress: SILENT });
    release = openRelease(home);
  }, 300_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('meet the bars on variants with known truth', async () => {
    const layers = new Layers(release, cache);
    for (const place of PLACES.slice(0, LONG ? 2 : 1)) {
      const all = await truthsOf(layers, place);
      expect(all.length).toBeGreaterThan(4_000);
      const random = new Random(3, 7);
      const streets = new Set(all.map(t => t.street));
      const numbersOf = Map.groupBy(all, t => baseOf(t.street));
      const judged: Judged[] = [];
      for (const truth of all.filter((_, i) => i % 97 === 0)) {
        const ofStreet = numbersOf.get(baseOf(truth.street))!;
        const numbers = new Set(ofStreet.map(t => t.number.replace(/[A-Z]$/, '')));
        for (const variant of variantsOf(truth, place, streets, numbers, [], random))
          judged.push(judge(place.name, variant, truth, ofStreet, (await ask(variant.text)).matches));
      }
      const share = (name: RegExp) => new Tally(judged).rows().find(r => name.test(r.name))!.value;
      expect(share(/, clean: right of/)).toBeGreaterThanOrEqual(97);
      expect(share(/, typo: right of/)).toBeGreaterThanOrEqual(90);
      expect(share(/^[^,]+: wrong place of/)).toBeLessThanOrEqual(0.1);
    }
  });

  it('are found in the forms in which people write them, and no other place for them', async () => {
    const layers = new Layers(release, cache);
    for (const place of PLACES.slice(0, LONG ? 3 : 1))
      for (const { form, count, of, wrong } of await tallyForms(
        layers,
        place,
        async a => (await ask(a)).matches,
        LONG ? 300 : 40,
        [...FORMS, ...CONTRADICTIONS.filter(isJudged)],
      )) {
        const name = `${place.name}: ${form.kind}`;
        expect({ name, wrong }).toEqual({ name, wrong: [] });
        const least = form.group === 'clean' ? 0.995 : form.group === 'hard' ? 0.9 : 1;
        // Of forty addresses one is more than half a percent.
        const share = (of.right + (LONG ? 0 : of.several)) / count;
        expect({ name, enough: share >= (LONG ? least : Math.min(least, 0.9)), of }).toEqual({
          name,
          enough: true,
          of,
        });
      }
  });

  it.each(LONG ? PLACES : PLACES.slice(0, 1))(
    'are answered with no other place in forms that leave more than one reading: $name',
    async place => {
      const layers = new Layers(release, cache);
      const matches = async (address: string) => (await ask(address)).matches;
      const tallies = await tallyForms(layers, place, matches, LONG ? 300 : 10, [
        ...HOSTILE,
        ...CONTRADICTIONS.filter(form => !isJudged(form)),
      ]);
      expect(tallies.length).toBeGreaterThan(40);
      const wrong = tallies.flatMap(({ form, wrong }) => wrong.map(line => `${form.kind}: ${line}`));
      expect(wrong).toEqual([]);
      // What is asked back and refused is not all: every form but those of letters in the number and of blanks in it is mostly understood.
      const understood = tallies.filter(({ count, of }) => of.right + of.several > count / 2);
      expect(understood.length).toBeGreaterThan(tallies.length * 0.75);
    },
  );

  it('never take a number that Bangor does not have for a rooftop', async () => {
    const all = await truthsOf(new Layers(release, cache), PLACES[0]!);
    for (const [street, known] of [...Map.groupBy(all, t => baseOf(t.street))].filter((_, i) => i % 40 === 0)) {
      const numbers = new Set(known.map(t => Number.parseInt(t.number, 10)));
      for (const number of [1, 2, 3, 77, 150, 999, 5000].filter(n => !numbers.has(n))) {
        const { matches } = await ask(`${number} ${street}, Bangor, ME 04401`);
        expect({
          street,
          number,
          types: matches.filter(m => m.similarity >= 0.8 && m.accuracyType === 'rooftop'),
        }).toEqual({ street, number, types: [] });
      }
    }
  });

  it.runIf(LONG)(
    'are found by every number of the ranges that Washington publishes, and by no number written in a row',
    async () => {
      const layers = new Layers(release, cache);
      let ranges = 0;
      for (const partition of release.layer('parcel_store', 'main')!.partitions) {
        const { file } = await layers.features(partition);
        for (let i = 0; i < file.count; i++) {
          // 0413-0415 RHODE ISLAND AVE NE, 1010 - 1014 3RD PL SE; R marks lots behind others.
          const line = String(file.properties(i).address ?? '').replace(/ +/g, ' ');
          const [, low, high, street] = /^0*(\d+) ?- ?0*(\d+) (.+ (?:NE|NW|SE|SW))$/.exec(line) ?? [];
          const [from, to] = [Number(low), Number(high)];
          if (!street || / R (?:NE|NW|SE|SW)$/.test(street) || to <= from || to - from > 100 || (to - from) % 2)
            continue;
          if (ranges++ % 5) continue;
          const { centroid_lon: lng, centroid_lat: lat } = file.properties(i);
          for (const number of [`${from}`, `${to}`, `${from}-${to}`, `${from + 2}`]) {
            const { matches } = await ask(`${number} ${street}, Washington, DC`);
            const metres = matches.map(m =>
              metresTo(m, [{ number, street, zip: null, at: [[Number(lng), Number(lat)]] }]),
            );
            expect({ line, number, near: metres.some(m => m < 250) }).toEqual({ line, number, near: true });
            expect({ line, number, type: matches[0]!.accuracyType }).toEqual({
              line,
              number,
              type: expect.stringMatching(/^(?:rooftop|point)$/),
            });
          }
          const joined = (await ask(`${from}${to} ${street}, Washington, DC`)).matches.filter(m => m.similarity >= 0.8);
          expect({ line, joined }).toEqual({ line, joined: [] });
        }
      }
      expect(ranges).toBeGreaterThan(150);
    },
  );

  it('are estimated from the ranges of Bangor alone within a few lots', async () => {
    const ranges: Release = {
      ...release,
      layer: (dataset, layer) => (dataset === 'census_tiger' ? release.layer(dataset, layer) : null),
    };
    const all = await truthsOf(new Layers(release, cache), PLACES[0]!);
    const metres: number[] = [];
    for (const truth of all.filter((_, i) => i % 50 === 0)) {
      const [best] = (await ask(`${truth.number} ${truth.street}, Bangor, ME`, ranges)).matches;
      if (best?.accuracyType === 'range_interpolation') metres.push(metresTo(best, [truth]));
    }
    metres.sort((a, b) => a - b);
    expect(metres.length).toBeGreaterThan(80);
    expect(metres[metres.length >> 1]).toBeLessThan(60);
  });

  it('answers crossings, streets and refusals of Bangor', async () => {
    const [crossing] = (await ask('Main St & Union St, Bangor, ME')).matches;
    expect(crossing).toMatchObject({
      accuracyType: 'intersection',
      city: 'BANGOR',
      countyFips: '23019',
      source: 'bangor_roads',
    });
    expect((await ask('Harlow St, Bangor, ME')).matches[0]).toMatchObject({ accuracyType: 'street_center' });
    expect((await ask('Bangor, ME')).matches[0]).toMatchObject({ accuracyType: 'place' });
    expect((await ask('73 Harlow St, Bangor, CA')).matches).toEqual([]);
    expect((await ask('73 Harlow St, Portland, ME')).matches.every(m => m.similarity < 0.8)).toBe(true);
  });
});
