import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../server/state/account.ts';
import { openSqlite } from '../../server/state/sqlite.ts';
import { LIMIT } from './model.ts';
import { ACCOUNTS } from './plan.ts';
import { simulatedBy } from './platform.ts';
import { Scheduler } from './scheduler.ts';

/** The accounts of every simulation, and a store that has nothing but them. */
export interface Beginning {
  readonly folder: string;
  readonly file: string;
  readonly accounts: readonly Account[];
}

/** Makes the store with which simulations begin, once. It lies in memory where the machine has such a folder. */
export async function beginning(): Promise<Beginning> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'plat-simulate-'));
  const file = join(folder, 'beginning.sqlite');
  const by = new Scheduler(0);
  simulatedBy(by);
  const make = async () => {
    const state = await openSqlite(file);
    const accounts: Account[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const account = await state.openAccount(`someone-${i}@example.org`, 'free');
      await state.setMonthlyCreditLimit(account.id, LIMIT);
      accounts.push(account);
    }
    await state.close();
    return accounts;
  };
  let accounts: readonly Account[] | null = null;
  const made = make().then(all => {
    accounts = all;
  });
  while (!accounts) await by.step();
  await made;
  simulatedBy(null);
  return { folder, file, accounts };
}
