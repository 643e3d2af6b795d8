import { afterAll, beforeAll, describe } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { deskSights } from './sights.ts';
import { deskTasks } from './ten-tasks.ts';

describe('the desk on the synthetic town', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const place = () => ({ ...explorer.parcel, town: /^Synthetic Harbor/i, hasOwners: true, hasRoads: true });
  deskTasks(() => explorer, place);
  deskSights(() => explorer, 'synthetic', place);
});
