import { expect, it } from 'vitest';
import type { Explorer } from '../explorer.ts';
import { Person } from './person.ts';

/** A place where the tasks are carried out. */
export interface TaskPlace {
  readonly name: string;
  /** What is typed for a house, with the address that the page then names, and what it says of its flooding. */
  readonly house: { readonly typed: string; readonly address: RegExp; readonly floods: RegExp };
  /** The parcel of that house, and one that flood maps leave out, as the search calls its zone. */
  readonly apn: string;
  readonly dryZone: string;
  /** An owner as typed; null where the county publishes none. */
  readonly owner: string | null;
  /** What the page says of the worth of the ground, of how steep it is, and of what it holds. */
  readonly worth: RegExp;
  readonly steep: RegExp;
  readonly holds: string;
}

const BOX = /Address, parcel number, owner/;
/** Seconds that anybody waits for all of a task; on a machine that does much else. */
const PATIENCE = 60;

/** Ten things that people come for, by visible text alone, each with how much they may do and how long they wait. */
export function tenTasks(explorerOf: () => Explorer, placeOf: () => TaskPlace): void {
  const as = async (path: string, connected: boolean, what: (who: Person) => Promise<unknown>) => {
    await using visit = await explorerOf().visit(path, { connected });
    await what(new Person(visit.page));
  };
  const toTheHouse = async (who: Person) => {
    const { house } = placeOf();
    await who.types(BOX, house.typed);
    await who.clicks('Go');
    await who.reads(house.address);
  };

  it(
    '1: is this house in a flood zone, and how far from one?',
    () =>
      as('/', true, async who => {
        await toTheHouse(who);
        expect(await who.reads(placeOf().house.floods)).toBeTruthy();
        await who.reads(/^\d[\d,.]* (ft|mi) to the/);
        who.ends('flood', 3, PATIENCE);
      }),
    120_000,
  );

  it(
    '2: find the parcel of an owner',
    () =>
      as('/', true, async who => {
        const { owner } = placeOf();
        if (owner === null) {
          // What nobody publishes is said, and not searched for.
          await toTheHouse(who);
          expect(await who.readsFact('Owner')).toBe('no data');
        } else {
          await who.types(BOX, owner.toLowerCase());
          await who.clicks(owner);
          expect(await who.readsFact('Owner')).toContain(owner);
          await who.reads(/^Parcel \S+/);
        }
        who.ends('owner', 3, PATIENCE);
      }),
    120_000,
  );

  it('3: send it to somebody without an account', async () => {
    let link = '';
    await as('/', true, async who => {
      await toTheHouse(who);
      await who.reads(placeOf().house.floods);
      link = who.page.url();
      who.ends('send', 2, PATIENCE);
    });
    await as(link.slice(explorerOf().address.length), false, async who => {
      await who.reads(placeOf().house.address);
      await who.reads(placeOf().house.floods);
      expect(await who.page.getByText('Answers need a token').count()).toBe(0);
      who.ends('get', 0, PATIENCE);
    });
  }, 180_000);

  it(
    '4: what is the ground worth per acre here?',
    () =>
      as('/', true, async who => {
        await toTheHouse(who);
        expect(await who.readsFact('Land value')).toMatch(placeOf().worth);
        who.ends('worth', 2, PATIENCE);
      }),
    120_000,
  );

  it(
    '5: which house is parcel number so-and-so?',
    () =>
      as('/', true, async who => {
        await who.types(BOX, placeOf().apn);
        await who.clicks(new RegExp(`^${placeOf().apn}`));
        await who.reads(`Parcel ${placeOf().apn}`);
        await who.reads(placeOf().house.address);
        who.ends('number', 2, PATIENCE);
      }),
    120_000,
  );

  it(
    '6: how steep is it, and is that much for here?',
    () =>
      as('/', true, async who => {
        await toTheHouse(who);
        await who.reads(placeOf().house.floods);
        await who.chooses('Topic', /^Terrain/);
        await who.reads(placeOf().steep);
        who.ends('steep', 3, PATIENCE);
      }),
    120_000,
  );

  it(
    '7: a parcel that lies outside of the flood zones',
    () =>
      as('/', true, async who => {
        await who.clicks(/^Search$/);
        await who.clicks('Add a condition');
        await who.types('Field', 'flood zone');
        await who.clicks(/^FEMA flood zone/);
        await who.chooses(/^Value of/, new RegExp(`^${placeOf().dryZone}$`));
        await who.page.getByRole('button', { name: 'Search', exact: true }).click();
        await who.clicks(/acres/);
        await who.reads(/^Parcel \S+/);
        // Flood maps are a line of some width, and reach into parcels whose middle is dry.
        await who.reads(/^(?:No|In part|On the line)$/);
        who.ends('dry', 6, PATIENCE);
      }),
    120_000,
  );

  it(
    '8: asks in words',
    () =>
      as('/', true, async who => {
        await toTheHouse(who);
        await who.clicks('Does it flood here, and why?');
        await who.reads(/flood/i);
        await who.reads(/^Confidence: /);
        await who.reads(placeOf().house.floods);
        who.ends('ask', 3, PATIENCE);
      }),
    120_000,
  );

  it(
    '9: reads it in meters',
    () =>
      as('/', true, async who => {
        await toTheHouse(who);
        await who.reads(/^[\d.,]+ acres?$/);
        await who.clicks(/^ft/);
        await who.reads(/^[\d.,]+ hectares$/);
        who.ends('meters', 3, PATIENCE);
      }),
    120_000,
  );

  it(
    '10: comes back from elsewhere, and sees no flood zones on the map',
    () =>
      as('/#map=10/40.7/-74', true, async who => {
        await who.reads('Nothing of this server lies here');
        await who.clicks(`Go to ${placeOf().holds}`);
        await who.page.getByText('Nothing of this server lies here').waitFor({ state: 'detached' });
        await who.clicks(/^Flood zones/);
        expect(await who.page.getByRole('checkbox', { name: 'Flood zones' }).isChecked()).toBe(false);
        who.ends('elsewhere', 2, PATIENCE);
      }),
    120_000,
  );
}
