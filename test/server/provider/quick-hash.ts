import { randomBytes, scryptSync } from 'node:crypto';

/**
 * What is kept of a password, in the form of server/provider/password.ts but with a thousandth of its work: signing in
 * would take a test of something else a third of a second of a processor each time.
 */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N: 2 ** 5, r: 8, p: 1 });
  return `$scrypt$ln=5,r=8,p=1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}
