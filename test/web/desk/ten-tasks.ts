import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Explorer } from '../explorer.ts';
import { Person } from '../first-look/person.ts';

/** A place where the tasks of the desk are carried out. */
export interface DeskPlace {
  /** A point well inside a parcel, with its number. */
  readonly lat: number;
  readonly lng: number;
  readonly apn: string;
  /** A point in a lot that has others beside it; the place itself where it is left out. */
  readonly lots?: { readonly lat: number; readonly lng: number };
  /** A town as its list of groups has it. */
  readonly town: RegExp;
  /** Whether owners are published, and whether one can drive. */
  readonly hasOwners: boolean;
  readonly hasRoads: boolean;
}

/** Seconds that one waits for all of a task; a busy machine takes a few times as long as an idle one. */
const PATIENCE = 180;
const MS = 2 * PATIENCE * 1000;

/** Ten things that people come for who work on many parcels, by visible text alone, each with how much they may do. */
export function deskTasks(explorerOf: () => Explorer, placeOf: () => DeskPlace): void {
  const as = async (path: string, what: (who: Person) => Promise<unknown>) => {
    await using visit = await explorerOf().visit(path);
    await what(new Person(visit.page));
    // What a release has no data for is an error of the console by itself.
    expect(visit.wrong.filter(line => !line.includes('503'))).toEqual([]);
  };
  const adds = async (who: Person, field: string, offered: RegExp) => {
    await who.clicks('Add a condition');
    await who.page.getByRole('combobox', { name: 'Field' }).last().pressSequentially(field);
    await who.clicks(offered);
  };
  const searches = (who: Person) => who.submits('Search');
  const parcelPath = ({ lat, lng }: { readonly lat: number; readonly lng: number } = placeOf()) =>
    `/parcel#at=${lat},${lng}&map=16/${lat}/${lng}`;
  /** The lines of a file that a button saves. */
  const saves = async (who: Person, button: RegExp): Promise<string[]> => {
    const saving = who.page.waitForEvent('download');
    await who.clicks(button);
    return readFileSync((await (await saving).path())!, 'utf8')
      .trim()
      .split(/\r?\n/);
  };
  const makesFile = async (who: Person) => {
    await who.clicks('Save as a file');
    await who.reads(/rows?: (?:free|\d)/);
    await who.clicks('Make the file');
    await who.reads('The file is ready');
    return saves(who, /^Save export/);
  };

  it(
    '1: the twenty largest vacant parcels within ten minutes, outside the flood zones, as a spreadsheet',
    {
      timeout: MS,
    },
    () =>
      as('/search', async who => {
        const { lat, lng, hasRoads } = placeOf();
        await who.clicks('Around a place');
        await who.types(/^Of an address/, `${lat}, ${lng}`);
        // Without roads one goes by distance.
        if (hasRoads) await who.chooses('Measured in', /minutes/);
        await who.types('Within', hasRoads ? '10' : '5');
        await who.clicks('Use this area');
        await adds(who, 'flood zone', /^FEMA flood zone/);
        await who.chooses(/^Value of FEMA/, /^X$/);
        await adds(who, 'building value', /^Building value/);
        await who.chooses(/^How Building value/, /at most/);
        await who.types(/^Value of Building value/, '0');
        await searches(who);
        await who.clicks('Table');
        await who.reads(/parcels? pass/);
        const [head, ...rows] = await saves(who, /^Save these rows/);
        expect(head).toContain('Acreage (acres)');
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThanOrEqual(20);
        const table = who.page.getByRole('region', { name: 'Parcels, sorted' });
        const acres = (await table.locator('tbody tr td:nth-child(2)').allInnerTexts()).map(text =>
          Number(text.replace(/[^\d.]/g, '')),
        );
        expect(acres).toEqual(acres.toSorted((one, other) => other - one));
        who.ends('largest', 16, PATIENCE);
      }),
  );

  it('2: how many parcels lie within ten minutes by car, or that nobody can tell', { timeout: MS }, () =>
    as('/search', async who => {
      const { lat, lng, hasRoads } = placeOf();
      await who.clicks('Around a place');
      await who.types(/^Of an address/, `${lat}, ${lng}`);
      await who.chooses('Measured in', /minutes/);
      await who.types('Within', '10');
      await who.clicks('Use this area');
      await (hasRoads ? who.reads(/^Within 10 minutes by car of .*acres$/) : who.page.getByRole('alert').waitFor());
      if (hasRoads) {
        await searches(who);
        await who.reads(/parcels? pass/);
      }
      who.ends('drive', 6, PATIENCE);
    }),
  );

  it('3: what can be built here', { timeout: MS }, () =>
    as(parcelPath(), async who => {
      await who.clicks('Buildable ground');
      await who.clicks('Draw it for 10 credits');
      await who.reads(/can be built on|is not known/);
      who.ends('buildable', 2, PATIENCE);
    }),
  );

  it('4: what can be built on these lots together', { timeout: MS }, () =>
    as(parcelPath(placeOf().lots), async who => {
      await who.clicks('With neighbors');
      await who.clicks('Find groups');
      await who.reads(/^(?:One group|\d+ groups)/);
      await who.clicks(/^What can be built on these \d+ lots together$/);
      await who.clicks('Draw it for 10 credits');
      await who.reads(/can be built on|is not known/);
      who.ends('together', 4, PATIENCE);
    }),
  );

  it('5: tell me when the zone of this parcel changes', { timeout: MS }, () =>
    as(parcelPath(), async who => {
      await who.clicks('Watch');
      await who.types(/^Mail address/, 'ann@example.org');
      await who.clicks('Watch this parcel');
      await who.reads('It is watched.');
      who.ends('watch', 3, PATIENCE);
    }),
  );

  it('6: what else the owner of this parcel has', { timeout: MS }, () =>
    as(parcelPath(), async who => {
      await who.clicks('Same owner');
      await who.reads(placeOf().hasOwners ? / in ME/ : /owner/i);
      who.ends('owner', 1, PATIENCE);
    }),
  );

  it('7: the town whose land is dearest', { timeout: MS }, () =>
    as('/search#n=25', async who => {
      await who.clicks('Groups');
      await who.chooses('Grouped by', /^Towns$/);
      await who.chooses('Colored by', /[Mm]edian/);
      await who.reads(placeOf().town);
      who.ends('towns', 3, PATIENCE);
    }),
  );

  it('8: the parcels of my own list of places, as a spreadsheet', { timeout: MS }, () =>
    as('/search', async who => {
      const { lat, lng, apn } = placeOf();
      await who.clicks('From a file');
      const text = `id,lat,lng\n1,${lat},${lng}\n`;
      await who.page
        .getByLabel('GeoJSON, KML, CSV')
        .setInputFiles({ name: 'sites.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await who.clicks('The parcels at its points');
      await searches(who);
      await who.reads(new RegExp(apn));
      const lines = await makesFile(who);
      expect(lines.slice(1).some(line => line.includes(apn))).toBe(true);
      who.ends('list', 6, PATIENCE);
    }),
  );

  it('9: which parcels are best by size and by how far floods are', { timeout: MS }, () =>
    as('/search#n=25&as=table', async who => {
      await who.clicks('Score');
      for (const [typed, offered] of [
        ['acreage', /^Acreage/],
        ['distance to nearest sfha', /^Distance to nearest SFHA/],
      ] as const) {
        await who.page
          .getByRole('region', { name: 'Score' })
          .getByRole('combobox', { name: 'Field' })
          .pressSequentially(typed);
        await who.clicks(offered);
      }
      await who.page.getByRole('columnheader', { name: 'Score' }).waitFor();
      who.ends('score', 3, PATIENCE);
    }),
  );

  it('10: a report of it on two pages', { timeout: MS }, () =>
    as(parcelPath(), async who => {
      await who.clicks('Report to print');
      await who.page.getByRole('article', { name: 'Report' }).getByRole('listitem').first().waitFor();
      const pdf = await who.page.pdf({ format: 'Letter' });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)!.length).toBeLessThanOrEqual(2);
      who.ends('report', 1, PATIENCE);
    }),
  );
}
