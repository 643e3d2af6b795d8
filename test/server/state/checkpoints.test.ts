import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { openState } from '../../../server/state/open.ts';

/** Accounts that the file itself has, without its log. */
function accountsIn(file: string, copy: string): unknown {
  copyFileSync(file, copy);
  using database = new DatabaseSync(copy);
  return database.prepare('select email from accounts').all();
}

it('what a server has written comes into the file itself while it runs, and no log is left when it ends', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-checkpoints-'));
  const file = join(home, 'state.sqlite');
  try {
    const state = await openState(home, '', { error: () => {}, warn: () => {} });
    await state.openAccount('a@b.org', 'free');
    await vi.waitFor(() => expect(accountsIn(file, join(home, 'copy'))).toEqual([{ email: 'a@b.org' }]), 10_000);
    await state.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  } finally {
    rmSync(home, { recursive: true });
  }
});
