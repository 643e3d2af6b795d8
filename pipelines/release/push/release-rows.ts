import type { Client } from 'pg';
import type { StoreEntry } from '../../../query/release/store/store-entry.ts';
import type { Fence } from './claim.ts';
import { makeTables } from './database.ts';

/** A parent may have one child: a second release after it is refused even where numbers were mixed up. */
const TABLE = `
  create schema if not exists plat_ingest;
  create table if not exists plat_ingest.release (
    store text not null,
    n integer not null,
    release text not null,
    manifest_sha256 text not null,
    parent integer not null,
    parent_release text,
    primary key (store, n),
    unique (store, parent)
  )`;

interface Row {
  readonly n: number;
  readonly release: string;
  readonly manifest_sha256: string;
  readonly parent_release: string | null;
}

/**
 * The numbers of a store as rows of PostgreSQL: `release(n primary key, manifest_sha256, parent unique)`.
 * @param store its name; publishers must spell it alike.
 */
export async function releaseRows(client: Client, store: string): Promise<Fence> {
  await makeTables(client, TABLE);
  return {
    async last() {
      const { rows } = await client.query<Row>(
        'select * from plat_ingest.release where store = $1 order by n desc limit 1',
        [store],
      );
      const [row] = rows;
      if (!row) return null;
      const { n: number, release, manifest_sha256: manifestSha256, parent_release: parent } = row;
      return { number, release, manifestSha256, parent };
    },
    async take({ number, release, manifestSha256, parent }: StoreEntry) {
      const { rowCount } = await client.query(
        `insert into plat_ingest.release (store, n, release, manifest_sha256, parent, parent_release)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [store, number, release, manifestSha256, number - 1, parent],
      );
      return rowCount === 1;
    },
  };
}
