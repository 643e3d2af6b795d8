import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { secretFault } from '../../../../query/engine/setting/secret-strength.ts';
import { readSettings } from '../../../../query/engine/settings.ts';

it.each([
  't'.repeat(64),
  'password'.repeat(5),
  'password1password2password3password4',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  '12345678901234567890123456789012',
  'aAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA',
  'changeme-changeme-changeme-changeme',
  '00000000-0000-0000-0000-000000000000',
])('%s is no secret, and is not repeated', text => {
  expect(secretFault(text)).toMatch(/^expected at least 32 random characters.*but it repeats itself or counts$/);
  for (const variable of ['PLAT_TOKEN_SECRET', 'PLAT_CURSOR_SECRET']) {
    expect(() => readSettings({ [variable]: text })).toThrow(RangeError);
    expect(() => readSettings({ [variable]: text })).toThrow(new RegExp(`^${variable}: (?!.*${text})`));
  }
});

it('what is short is said to be', () => {
  expect(secretFault('kX7fQ2')).toMatch(/but it has 6 characters$/);
});

it('random secrets pass, in hexadecimal digits too', () => {
  // Judged together: 40,000 calls of expect take three seconds.
  const refused: string[] = [];
  for (let i = 0; i < 20_000; i++) {
    const hex = createHash('sha256').update(String(i)).digest('hex').slice(0, 32);
    for (const text of [hex, Buffer.from(hex, 'hex').toString('base64') + hex.slice(0, 8)])
      if (secretFault(text) !== null) refused.push(text);
  }
  expect(refused).toEqual([]);
});
