import { afterAll, expect, it } from 'vitest';
import { seeded } from '../../query/spoiling.ts';
import { compared, FIELDS, Folders, openedPack, placeIn, SITE, served, twoPlaces } from './packed-area.ts';

const folders = new Folders();
afterAll(() => folders.remove());

it('500 places of a pack are answered as by the server that it was made of', async () => {
  const random = seeded(71_500);
  const home = await twoPlaces(folders);
  const servers = [await served(home), await served(await openedPack(home, SITE, folders))] as const;
  try {
    const places = Array.from({ length: 500 }, () => placeIn(SITE, random));
    const { equal, differing } = await compared(servers, places);
    expect(differing).toEqual([]);
    expect(equal).toBe(500 * FIELDS);
  } finally {
    await Promise.all(servers.map(server => server.close()));
  }
}, 900_000);
