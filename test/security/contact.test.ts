import { expect, it } from 'vitest';
import { readSettings } from '../../query/engine/settings.ts';
import { openFixture } from '../server/service-fixture.ts';

const PATH = '/.well-known/security.txt';
const security = { contacts: ['mailto:security@example.org', 'https://example.org/report'], answerDays: 3, policy: '' };

it('security.txt says whom to tell, until when that holds and within how many days a report is answered', async () => {
  await using fixture = await openFixture({ security, publicUrl: 'https://plat.example.org' });
  const answer = await fixture.app.inject({ url: PATH });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = answer.body.split('\n');
  const expires = lines.find(line => line.startsWith('Expires: '))!.slice(9);
  expect(lines).toEqual([
    '# Reports are answered within 3 days.',
    'Contact: mailto:security@example.org',
    'Contact: https://example.org/report',
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: https://plat.example.org${PATH}`,
    '',
  ]);
  expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const days = (at: string) => (Date.parse(at) - fixture.clock.now()) / 86_400_000;
  expect(days(expires)).toBeGreaterThan(89);
  expect(days(expires)).toBeLessThan(365);
  // A server that runs for long does not show a date that has passed.
  fixture.clock.time += 200 * 86_400_000;
  const later = (await fixture.app.inject({ url: PATH })).body;
  expect(days(/Expires: (.*)/.exec(later)![1]!)).toBeGreaterThan(89);
});

it('security.txt names the rules where there are some, and is not found where there is nobody to tell', async () => {
  const policy = 'https://example.org/rules';
  await using told = await openFixture({ security: { ...security, policy, answerDays: 1 } });
  const { body } = await told.app.inject({ url: PATH });
  expect(body).toContain(`Policy: ${policy}\n`);
  expect(body).toContain('within 1 day.');
  await using silent = await openFixture();
  const answer = await silent.app.inject({ url: PATH });
  expect([answer.statusCode, answer.json().detail.error]).toEqual([404, 'not_found']);
});

it('a contact that reaches nobody is refused when the settings are read', () => {
  const read = (text: string) => readSettings({ PLAT_SECURITY_CONTACT: text }).securityContact;
  expect(read('')).toEqual([]);
  expect(read('mailto:a@example.org, tel:+1-207-555-0100')).toEqual(['mailto:a@example.org', 'tel:+1-207-555-0100']);
  for (const wrong of ['a@example.org', 'http://example.org', 'mailto:nobody', 'mailto:a@b.org\nPolicy: x'])
    expect(() => read(wrong), wrong).toThrow('PLAT_SECURITY_CONTACT: expected contacts such as');
  expect(() => readSettings({ PLAT_SECURITY_ANSWER_DAYS: '0' })).toThrow('PLAT_SECURITY_ANSWER_DAYS');
  expect(() => readSettings({ PLAT_SECURITY_POLICY: 'http://example.org/rules' })).toThrow('PLAT_SECURITY_POLICY');
});
