import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Work of a password: 2^15 × 8 × 128 bytes, three times over (the OWASP password storage cheat sheet). */
const LN = 15;
const R = 8;
const P = 3;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Characters. The lower end is of NIST SP 800-63B; the upper one keeps the work of hashing bounded. */
export const PASSWORD_LENGTH = { least: 8, most: 128 } as const;

function derive(password: string, salt: Buffer, { ln, r, p }: { ln: number; r: number; p: number }): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln };
  return new Promise((resolve, reject) => {
    // One text has one form, however it was typed.
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** What is kept of a password: scrypt in the form `$scrypt$ln=…,r=…,p=…$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, { ln: LN, r: R, p: P });
  return `$scrypt$ln=${LN},r=${R},p=${P}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Somebody who is not there takes as long to refuse as a wrong password. */
const NOBODY = `$scrypt$ln=${LN},r=${R},p=${P}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether a password is the one that was kept; null is of somebody who has none, and never. */
export async function passwordHolds(kept: string | null, password: string): Promise<boolean> {
  const match = FORM.exec(kept ?? NOBODY);
  if (!match) return false;
  const [ln, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const key = await derive(password, Buffer.from(match[4]!, 'base64url'), { ln, r, p });
  const expected = Buffer.from(match[5]!, 'base64url');
  return key.length === expected.length && timingSafeEqual(key, expected) && kept !== null;
}
