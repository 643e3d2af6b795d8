import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { deskSights } from '../web/desk/sights.ts';
import { type DeskPlace, deskTasks } from '../web/desk/ten-tasks.ts';
import { type Explorer, openExplorer } from '../web/explorer.ts';
import { sights } from '../web/first-look/sights.ts';
import { type TaskPlace, tenTasks } from '../web/first-look/ten-tasks.ts';
import { ingestBangor, MISSING, present } from './bangor.ts';

if (!present) console.warn(MISSING);

/** Lot 041-069, beside the Kenduskeag Stream. */
const LOT = 'at=44.80213,-68.77110&map=16/44.80213/-68.77110';

const BANGOR: TaskPlace = {
  name: 'Bangor',
  house: {
    typed: '73 Harlow St, Bangor',
    address: /^73 HARLOW ST/,
    floods: /outside the mapped special flood hazard areas/,
  },
  apn: '041-118',
  dryZone: 'X',
  // The city's file names no owner, and no elevation came with it: the page says so.
  owner: null,
  worth: /^\$[\d,]+ \(\$[\d,]+ an acre\)$/,
  steep: /This server holds no data for \d+ more values here/,
  holds: 'Bangor, ME',
};

/** That lot again, where nobody publishes owners, nor roads that one can drive. */
const DESK: DeskPlace = {
  ...{ lat: 44.80213, lng: -68.7711, apn: '041-069', town: /^Bangor/i },
  ...{ hasOwners: false, hasRoads: false },
  // Shops of Central Street that stand wall to wall.
  lots: { lat: 44.80215, lng: -68.77167 },
};

describe('the first look at the real Bangor', { tags: ['published-files', 'Chromium'] }, () => {
  let explorer: Explorer;
  let home: string;
  beforeAll(async () => {
    ({ home } = await ingestBangor({ overlay: { memoryMb: 512 } }));
    explorer = await openExplorer({ PLAT_GUESTS: 'on' }, home);
    // The first address opens the files of all.
    await using visit = await explorer.visit('/#address=73%20Harlow%20St%2C%20Bangor');
    await visit.page.getByRole('region', { name: 'Verdict' }).waitFor({ timeout: 120_000 });
  }, 1_200_000);
  afterAll(async () => {
    await explorer?.[Symbol.asyncDispose]();
    if (home) rmSync(home, { recursive: true, force: true });
  }, 60_000);

  tenTasks(
    () => explorer,
    () => BANGOR,
  );
  // The city publishes no owners, and its release has no road graph: the page says so.
  const place = () => DESK;
  deskTasks(() => explorer, place);
  deskSights(() => explorer, 'bangor', place);
  sights(
    () => explorer,
    'bangor',
    () => LOT,
  );
});
