import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { openSqlite } from '../../../server/state/sqlite.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-together-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Holds the whole file for 300 ms, as a process does that starts at the same moment and lays the file out. */
const HOLDER = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort, workerData } = require('node:worker_threads');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (a)');
  parentPort.postMessage('held');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  database.exec('COMMIT');
  database.close();
`;

it('waits for a process that is laying the file out', async () => {
  const file = join(home, 'state.sqlite');
  const holder = new Worker(HOLDER, { eval: true, workerData: file });
  const ended = new Promise(resolve => holder.once('exit', resolve));
  await new Promise(resolve => holder.once('message', resolve));
  const store = await openSqlite(file);
  await ended;
  const account = await store.openAccount('first@example.org', 'free');
  expect(account.id).toBeTruthy();
  await store.close();
});
