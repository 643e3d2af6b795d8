import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { places } from '../../../datasets/places.ts';
import { parsePlace } from '../../../pipelines/place/place-schema.ts';
import { filesOfPlace } from '../../../pipelines/steps/acquire.ts';
import { fiveCommands, runCommand } from '../../pipelines/place/init/five-commands.ts';
import { folder } from '../../pipelines/village.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';
import { SHORTEST, withParcels } from './mapped-columns.ts';
import './place-init.test.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const outOf = (name: string) => join(home, `${name}.yaml`);

async function five(name: string) {
  const place = places.get(name)!;
  const files = [...filesOfPlace(place).keys()].map(file => join(SOURCES, file));
  const init = { county: place.county!, name };
  return fiveCommands(files, { home: join(home, name), sources: SOURCES, out: outOf(name), init });
}

/** What place check says of Bangor's file after some of its text was changed. */
async function checked(from: RegExp, to: string) {
  const text = readFileSync(outOf('bangor-me'), 'utf8');
  const wrong = text.replace(from, to);
  expect(wrong).not.toBe(text);
  const file = outOf('wrong');
  writeFileSync(file, wrong);
  const { code, answer } = await runCommand('place check', [file], { sources: SOURCES });
  return [code, (answer!.breaches as { key: string }[]).map(({ key }) => key)];
}

if (!present) console.warn(MISSING);
describe('from the files of a real place to a checked release', { tags: ['published-files'] }, () => {
  // Every place with parcels: the smallest in every run (place-init.test.ts), the others here.
  for (const { name } of withParcels)
    if (name !== SHORTEST)
      it(`five commands: ${name}`, { timeout: 900_000 }, async () => {
        const { run, verify } = await five(name);
        expect(run.answer).toMatchObject({ changed: true, place: name });
        expect(verify.answer).toMatchObject({ damage: [] });
      });

  it('says of national files that were cut to nobody what is wrong with them: Bangor', () => {
    const { layers } = parsePlace(readFileSync(outOf('bangor-me'), 'utf8'), 'bangor-me.yaml');
    const layer = (id: string) => layers.find(l => `${l.dataset}:${l.layer}` === id)!;
    // Alaska's outline crosses itself: it is not Maine's fault.
    expect(layer('census_tiger:state').expect).toMatchObject({
      rejected: 0.02,
      because: expect.stringMatching(/^1 of 50 rows is rejected, none on the ground of this place, as row 2: Self-/),
    });
    // The list does not name one of Bangor's tracts.
    expect(layer('cdfi_opportunity_zones:main')).toMatchObject({
      coverage: { file: 'bangor-me/census_blocks_2010.geojson.gz', where: "TRACT10 != '000300'" },
      where: 'list.oz = 1',
      expect: { hits: { list: 0.904 } },
    });
  });

  it('a place file that is wrong does not pass', { timeout: 900_000 }, async () => {
    expect(await checked(/^ {4}expect: \{ rejected: 0\.02.*\n/m, '')).toEqual([
      3,
      ['bangor-me/census_tiger:state/rejected'],
    ]);
    expect(
      await checked(/to: \{ from: GEOID10, slice: \[ 0, 11 \] \}\n(?= {4}columns:\n {6}GEOID10)/, 'to: GEOID10\n'),
    ).toEqual([3, ['bangor-me/cdfi_opportunity_zones:main/hits/list']]);
  });
});
