import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, inject } from 'vitest';
import { openState } from '../../../server/state/open.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { type Pooler, startPgBouncer } from './pgbouncer.ts';
import { type SharedPostgres, sharedPostgres } from './shared-postgres.ts';

/** A place for state of one kind: what the settings PLAT_HOME and PLAT_STATE_URL would say. */
export interface StatePlace {
  readonly home: string;
  readonly url: string;
}

export interface StoreKind {
  readonly name: 'SQLite' | 'PostgreSQL' | 'PgBouncer';
  /** A new place, whose store has its tables and nothing in them. */
  place(): Promise<StatePlace>;
  /** Another connection to a place, as another process would make it; closed after the test. */
  open(place: StatePlace): Promise<StateStore>;
}

const newHome = () => mkdtempSync(join(tmpdir(), 'plat-state-'));

/** The file of an empty store, made once a process: its tables take longer than most tests, as in PostgreSQL. */
let emptyFile: Promise<Buffer> | undefined;
async function makeEmptyFile(): Promise<Buffer> {
  const home = newHome();
  try {
    await (await openState(home, '')).close();
    return readFileSync(join(home, 'state.sqlite'));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Runs one suite against every state store: SQLite always, PostgreSQL where its server is installed. In the project of tests
 * behind a pooler, PostgreSQL alone, through PgBouncer.
 */
export const describeStores = (title: string, suite: (kind: StoreKind) => void): void => describeIn(title, suite, true);

/**
 * Runs one suite of what stands before the state store: in the ordinary run SQLite alone, in the long one as `describeStores`
 * does. What the stores themselves promise has suites of its own.
 */
export const describeDoors = (title: string, suite: (kind: StoreKind) => void): void => describeIn(title, suite, false);

function describeIn(title: string, suite: (kind: StoreKind) => void, withPostgres: boolean): void {
  const opened: StateStore[] = [];
  const homes: string[] = [];
  const kind = (name: StoreKind['name'], url: () => Promise<string>): StoreKind => ({
    name,
    async place() {
      const home = newHome();
      homes.push(home);
      const place = { home, url: await url() };
      if (place.url === '') {
        emptyFile ??= makeEmptyFile();
        writeFileSync(join(home, 'state.sqlite'), await emptyFile, { mode: 0o600 });
      }
      return place;
    },
    async open(place) {
      const store = await openState(place.home, place.url);
      opened.push(store);
      return store;
    },
  });
  const close = async () => {
    await Promise.all(opened.splice(0).map(store => store.close()));
  };
  const clean = async () => {
    await close();
    for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
  };
  const inPostgres = (name: 'PostgreSQL' | 'PgBouncer', where: string, tags: string[]) =>
    describe(`${title} in ${where}`, { tags }, () => {
      let cluster: SharedPostgres;
      let pooler: Pooler | null = null;
      beforeAll(async () => {
        cluster = await sharedPostgres();
        if (name === 'PgBouncer') pooler = await startPgBouncer(await cluster.database());
      });
      afterAll(async () => {
        await clean();
        await pooler?.stop();
        await cluster.drop();
      });
      afterEach(close);
      suite(
        kind(name, async () => {
          const url = await cluster.migrated();
          return pooler?.through(url) ?? url;
        }),
      );
    });
  if (inject('pooled')) return void inPostgres('PgBouncer', 'PostgreSQL behind PgBouncer', ['PostgreSQL', 'PgBouncer']);
  describe(`${title} in SQLite`, () => {
    afterEach(close);
    afterAll(clean);
    suite(kind('SQLite', async () => ''));
  });
  if (withPostgres) inPostgres('PostgreSQL', 'PostgreSQL', ['PostgreSQL']);
}
