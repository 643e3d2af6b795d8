import { createRequire, syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

const builtin = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto');

/**
 * For a file whose tests are about something else than what hashing costs: one password takes a quarter of a second of a
 * processor otherwise. What is kept of it stays a hash of the same form, and password.test.ts tries the real cost.
 */
export function useQuickScrypt(): void {
  const { scrypt } = builtin;
  const quick = (password: string, salt: Buffer, bytes: number, options: object, done: never) =>
    scrypt(password, salt, bytes, { ...options, N: 2, p: 1 }, done);
  const put = (value: unknown) => {
    Object.assign(builtin, { scrypt: value });
    syncBuiltinESMExports();
  };
  beforeAll(() => put(quick));
  afterAll(() => put(scrypt));
}
