import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { KeptBody } from '../../../server/field-requests/schema.ts';
import { screen } from '../../../server/field-requests/screening/screening.ts';
import { settledStatus } from '../../../server/field-requests/screening/settled-status.ts';
import { contextFor, type Fixture, openFixture } from '../service-fixture.ts';

const PLACE = { lat: 44.8, lng: -68.77 };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ catalog });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const screened = (description: string, more: Partial<KeptBody> = {}) =>
  screen(contextFor(fixture, { catalog }), { description, example_locations: [PLACE], ...more }, [
    { index: 0, resolved_location: { ...PLACE, source: 'coordinate' } },
  ]);
const one = async (description: string, constraints: KeptBody['constraints'] = {}) =>
  (await screened(description, { constraints }))[0]!;

/** Excludes the first candidate until no question is left. @returns what was excluded and what came of it. */
async function narrowed(description: string) {
  const must_not_be: string[] = [];
  for (;;) {
    const found = await one(description, { must_not_be });
    if (found.disposition !== 'clarify') return { must_not_be, found };
    must_not_be.push(found.candidates![0]!.field_id);
  }
}

describe('persons', () => {
  const PERSONAL = expect.objectContaining({ disposition: 'refused', code: 'personal_data' });
  it.each([
    'phone number of the owner',
    "the owner's cell phone",
    'telephone of the landlord',
    'contact details of the owners',
    "the resident's e-mail",
    "the tenant's name",
    'names of the occupants',
    'the name of the person who lives there',
    'age of the owner',
  ])('are not told about: %s', async description => {
    expect(await screened(description)).toEqual([PERSONAL]);
  });

  it.each(["the owner's name and phone number", 'owner name and phone'])(
    'are not told about where the same sentence asks for what is public: %s',
    async description => {
      const [name, ...others] = await screened(description);
      expect([name!.field_id, name!.disposition]).not.toContain('place_name');
      expect(name).toMatchObject({ field_id: 'parcel_owner' });
      expect(others).toEqual([PERSONAL]);
    },
  );

  it('leave half a sentence that names no value', async () => {
    expect(await screened('name and age of the owner')).toEqual([
      expect.objectContaining({ disposition: 'clarify', field_id: null }),
      PERSONAL,
    ]);
  });

  it.each([
    'median household income of the tract',
    'phone coverage',
    'median age of residents',
    'name of the nearest hospital',
  ])('are not meant by %s', async description => {
    for (const one of await screened(description)) expect(one.disposition).not.toBe('refused');
  });
});

describe('what a requester excludes', () => {
  it.each(['slope', 'elevation above the sea or a flood', 'nearest transmission line', 'flood'])(
    'leads out of a question about %s, to the one that is left',
    async description => {
      const { must_not_be, found } = await narrowed(description);
      expect(['matched', 'near_miss']).toContain(found.disposition);
      expect(must_not_be).not.toContain(found.field_id);
    },
  );

  it('leaves only what is meant, not what is ever less related', async () => {
    const { must_not_be, found } = await narrowed('slope');
    expect([...must_not_be, found.field_id].sort()).toEqual([
      'slope_degrees',
      'slope_mean_500m_degrees',
      'slope_percent',
      'slope_under_10pct_fraction_1km',
      'slope_under_5pct_fraction_1km',
    ]);
  });

  it.each<[string, Partial<KeptBody>, string]>([
    ['constraints.must_not_be', { constraints: { must_not_be: ['elevation'] } }, 'ground elevation'],
    ['constraints.already_have', { constraints: { already_have: ['elevation'] } }, 'ground elevation'],
    ['known_sources.excluded', { known_sources: { excluded: [{ name: 'FEMA' }] } }, 'FEMA flood zone'],
  ])('by %s is what the answer names, not a gap of the catalog', async (part, more, description) => {
    const without = (await screened(description))[0]!;
    expect(without.field_id).not.toBeNull();
    const everything = [...catalog.fields.keys()].filter(name => /elevation|relief|topographic/.test(name));
    const [found] = await screened(description, {
      ...more,
      ...('constraints' in more ? { constraints: { [part.split('.')[1]!]: everything } } : {}),
    });
    expect(found).toMatchObject({ disposition: 'accepted_new', field_id: null });
    expect(found!.explanation).toContain(`What the catalog has of it is excluded by ${part}: ${without.field_id} (`);
    expect(found!.explanation).not.toContain('does not have it');
  });
});

describe('a unit', () => {
  it.each([
    ['slope in degrees', 'slope_degrees'],
    ['Slope in percent', 'slope_percent'],
    ['I need the slope, measured in degrees', 'slope_degrees'],
  ])('that a field has in its name tells which one is meant: %s', async (description, name) => {
    expect(await one(description)).toMatchObject({ disposition: 'matched', field_id: name });
    const [listed] = await screened('terrain', { requested_fields: [{ ask: description }] });
    expect(listed).toMatchObject({ disposition: 'matched', field_id: name });
  });

  it('that only one of the others has leads to that one', async () => {
    expect(await one('slope in degrees', { must_not_be: ['slope_degrees'] })).toMatchObject({
      disposition: 'near_miss',
      field_id: 'slope_mean_500m_degrees',
    });
  });
});

it('says that a new value is queued only where it is: nothing is built while another is in question', async () => {
  const NEW = { ask: 'the age of the sewer main in the street' };
  const alone = await screened('sewers', { requested_fields: [NEW] });
  expect(settledStatus(alone)).toBe('queued');
  expect(alone[0]!.explanation).toMatch(/\. It is queued to be built\.$/);
  const mixed = await screened('sewers and flood', { requested_fields: [NEW, { ask: 'flood' }] });
  expect(settledStatus(mixed)).toBe('awaiting_confirm');
  expect(mixed[0]).toMatchObject({ disposition: 'accepted_new', explanation: expect.stringMatching(/not queued/) });
  expect(mixed[0]!.explanation).not.toMatch(/is queued/);
});

it('what the release cannot answer is to be built, and is not read at the examples', async () => {
  fixture.engine.lacks = { elevation: 'dataset usgs_3dep is not installed in this release' };
  const before = fixture.engine.calls.length;
  expect(await one('elevation')).toMatchObject({
    disposition: 'accepted_new',
    field_id: 'elevation',
    explanation: expect.stringMatching(/but dataset usgs_3dep is not installed in this release/),
  });
  expect(fixture.engine.calls.length).toBe(before);
  fixture.engine.lacks = {};
});
