import { expect, it } from 'vitest';
import { clientOf } from '../../../server/http/client.ts';
import { hashPassword, passwordHolds } from '../../../server/provider/password.ts';

it('a password is known again from what is kept of it, however it was typed, and no other is', async () => {
  const kept = await hashPassword('caf\u00e9 au lait');
  expect(kept).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
  expect(kept).not.toBe(await hashPassword('caf\u00e9 au lait'));
  expect(await passwordHolds(kept, 'cafe\u0301 au lait')).toBe(true);
  expect(await passwordHolds(kept, 'cafe au lait')).toBe(false);
  expect(await passwordHolds(null, 'anything')).toBe(false);
  expect(await passwordHolds('not of this form', 'anything')).toBe(false);
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the client of %s is %s', (ip, client) => {
  expect(clientOf(ip)).toBe(client);
});
