import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openState } from '../../../server/state/open.ts';
import { describeStores, type StatePlace } from './state-stores.ts';

const LATER = `insert into kysely_migration (name, timestamp) values ('9999_of_a_later_version', '2030-01-01T00:00:00.000Z')`;

/** Does what an upgrade would have done. */
async function upgrade({ home, url }: StatePlace): Promise<void> {
  if (url === '') {
    const file = new DatabaseSync(join(home, 'state.sqlite'));
    file.exec(LATER);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(LATER);
  await client.end();
}

describeStores('tables that a newer version changed', kind => {
  it('are left alone, and the operator reads what to do', async () => {
    const place = await kind.place();
    await (await kind.open(place)).openAccount('a@b.example', 'free');
    await upgrade(place);
    const words = /a newer Plat has used it: this one does not know 9999_of_a_later_version\. .* restore the backup/;
    await expect(openState(place.home, place.url)).rejects.toThrow(words);
  });
});
