import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of scrypt: 2^15 × 8 × 128 bytes, three times (OWASP password storage cheat sheet). */
const LN = 15;
const R = 8;
const P = 3;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Length in characters. The minimum is from NIST SP 800-63B; the maximum limits the work of hashing. */
export const PASSWORD_LENGTH = { least: 8, most: 128 } as const;

function derive(password: string, salt: Buffer, { ln, r, p }: { ln: number; r: number; p: number }): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln };
  return new Promise((resolve, reject) => {
    // Normalize, so that the same text typed in another way gives the same bytes.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Hashes a password with scrypt. @returns `$scrypt$ln=…,r=…,p=…$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, { ln: LN, r: R, p: P });
  return `$scrypt$ln=${LN},r=${R},p=${P}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** A hash for unknown users, so that refusing them takes as long as refusing a wrong password. */
const NOBODY = `$scrypt$ln=${LN},r=${R},p=${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether a password matches its hash. Null, the hash of a user without one, matches nothing. */
export async function passwordHolds(kept: string | null, password: string): Promise<boolean> {
  const match = FORM.exec(kept ?? NOBODY);
  if (!match) return false;
  const [ln, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const key = await derive(password, Buffer.from(match[4]!, 'base64url'), { ln, r, p });
  const expected = Buffer.from(match[5]!, 'base64url');
  return key.length === expected.length && timingSafeEqual(key, expected) && kept !== null;
}
