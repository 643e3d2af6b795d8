import { afterEach, expect, it } from 'vitest';
import { deliveryJob } from '../../../server/field-requests/callbacks/delivery-job.ts';
import { deliveryOf } from '../../../server/field-requests/callbacks/news.ts';
import { useMail } from '../../../server/field-requests/callbacks/quotas.ts';
import { expiryJob } from '../../../server/field-requests/upkeep/expiry-job.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { CONFIRM_PATH, STOP_PATH } from '../../../server/mail/links.ts';
import type { Disposition } from '../../../server/state/field-requests/disposition.ts';
import { addresseeOf } from '../../../server/state/field-requests/mail-consents.ts';
import { type Fixture, ISSUER } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { EVIL, openPostOffice } from './post-office.ts';
import { doNext } from './working.ts';

const DAY_MS = 86_400_000;
const PROSE_BYTES = 10 * 1024;
const DOCUMENT_BYTES = 64 * 1024;
/** As docs/field-requests.md says. */
const QUESTIONS_OF_ACCOUNT = 10;
const QUESTIONS_TO_MAILBOX = 3;
const MAILS_TO_MAILBOX = 50;

describeDoors('mail about field requests', kind => {
  const open: Fixture[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(fixture => fixture[Symbol.asyncDispose]()));
  });

  const openPost = async () => {
    const post = await openPostOffice(await kind.open(await kind.place()));
    open.push(post.fixture);
    return post;
  };

  const asked = (words: string): Disposition => ({
    ask: words,
    disposition: 'refused',
    field_id: null,
    estimated_ready_at: null,
    resume: null,
    explanation: `Nothing is known of ${words}`,
  });

  it('of one account to 70 strangers: some are asked, without a word of its own, and no more comes', async () => {
    const { fixture, mails, filed, tell, post, deliveries } = await openPost();
    const ids: string[] = [];
    for (let i = 0; i < 70; i++) {
      const words = EVIL.repeat(8);
      const id = await filed(`stranger-${i}@example.org`, { requested_fields: [{ ask: words }] });
      await tell(id, Array(20).fill(asked(words)));
      ids.push(id);
      if (i % 10 === 9) await post();
    }
    expect(mails).toHaveLength(QUESTIONS_OF_ACCOUNT);
    for (const mail of mails) {
      expect(mail.subject + mail.text).not.toMatch(/evil|locked|login/i);
      expect(mail.text).not.toContain(fixture.account.email);
      expect(Buffer.byteLength(mail.text)).toBeLessThan(2_000);
    }
    expect(new Set(mails.map(({ to }) => to)).size).toBe(mails.length);
    const statuses = await Promise.all(ids.map(async id => (await deliveries(id))[0]!.status));
    expect(statuses.slice(0, QUESTIONS_OF_ACCOUNT)).toEqual(Array(QUESTIONS_OF_ACCOUNT).fill('held'));
    expect(new Set(statuses.slice(QUESTIONS_OF_ACCOUNT))).toEqual(new Set(['waiting']));
  });

  it('waits until the button of the page is pressed; a program that opens every link confirms nothing', async () => {
    const { mails, filed, tell, post, deliveries, link, browser, fixture } = await openPost();
    const id = await filed('me@example.org');
    await tell(id);
    await post();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['me@example.org', 'May Plat send you news about field requests and watches?'],
    ]);
    expect(await deliveries(id)).toMatchObject([{ status: 'held', error: null }]);
    const confirm = link(mails[0], CONFIRM_PATH);
    const shown = browser();
    for (let i = 0; i < 3; i++) {
      const page = await shown.open(confirm);
      expect([page.status, page.headers['cache-control'], page.text]).toEqual([
        200,
        'no-store',
        expect.stringContaining(fixture.account.email),
      ]);
      expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    }
    await post();
    expect(mails).toHaveLength(1);
    // The owner of the address confirms it for this account. Another one must ask for itself.
    expect((await shown.send({})).text).toContain('is confirmed');
    await post();
    expect(mails).toHaveLength(2);
    expect(mails[1]).toMatchObject({ to: 'me@example.org', subject: `Your field request was screened (${id})` });
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', error: null }]);
    const stranger = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'free'));
    await tell(await filed('me@example.org', {}, stranger));
    await post();
    expect(mails.slice(2).map(({ subject }) => subject)).toEqual([
      'May Plat send you news about field requests and watches?',
    ]);
    // A later one of the first account needs no question.
    await tell(await filed('ME@example.org'));
    await post();
    expect(mails.slice(3).map(({ subject }) => subject)).toEqual([expect.stringContaining('was screened')]);
  });

  it('that is confirmed at the moment at which it is held is sent', async () => {
    const { fixture, mails, filed, tell, post, deliveries } = await openPost();
    const { fieldRequests, jobs } = fixture.state;
    const { address } = addresseeOf('me@example.org');
    const id = await filed('me@example.org');
    await tell(id);
    const [news] = await deliveries(id);
    const claim = (await jobs.claim(deliveryJob.name))!;
    await fieldRequests.confirmMail(fixture.account.id, address, fixture.clock.now(), deliveryOf);
    const to = { accountId: fixture.account.id, address };
    expect(await jobs.finish(claim, fieldRequests.mailHeld(news!, to, deliveryOf(news!, fixture.account.id)))).toBe(
      true,
    );
    expect((await deliveries(id))[0]!.status).toBe('waiting');
    await post();
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('was screened')]);
  });

  it('goes at once to the verified address of the account', async () => {
    const { fixture, mails, filed, tell, post } = await openPost();
    await fixture.app.inject({ url: '/v1/runs', headers: { authorization: `Bearer ${await fixture.session()}` } });
    await tell(await filed(fixture.account.email));
    await post();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [fixture.account.email, expect.stringContaining('was screened')],
    ]);
  });

  it('has at most 10 kB of words, a requester quoted and no link of theirs, and the document as it is', async () => {
    const { fixture, mails, filed, tell, post, link, browser } = await openPost();
    const { fieldRequests } = fixture.state;
    await tell(await filed('me@example.org'));
    await post();
    const shown = browser();
    await shown.open(link(mails[0], CONFIRM_PATH));
    await shown.send({});
    const payloadOf = async (id: string) => {
      const news = { request_id: id, event_type: 'screening_completed', channel: 'email' } as const;
      return (await fieldRequests.delivery(news))!.payload;
    };
    const WORDS = [
      EVIL.repeat(9),
      'http://evil.example.com\n\n```\nSee HTTPS://EVIL.example.com/?a=1 and evil。example。com and ｅｖｉｌ．example．com',
      'tel:+12025550100 mailto:x@evil.example.com javascript:alert(1) ftp://1.2.3.4/x \u202eevil.example.com\u202c e\u200bvil.example.com',
      '”evil.example.com“ [x](https://evil.example.com) <https://evil.example.com>',
    ];
    const dispositions = Array.from({ length: 20 }, (_, i) => asked(WORDS[i % WORDS.length]!));
    const id = await filed('me@example.org');
    await tell(id, dispositions);
    await post();
    const { text, stop } = mails.at(-1)!;
    const start = text.indexOf('\n```json\n');
    const [prose, document] = [text.slice(0, start), text.slice(start + 9, -4)];
    expect(Buffer.byteLength(prose)).toBeLessThanOrEqual(PROSE_BYTES);
    expect(Buffer.byteLength(prose)).toBeGreaterThan(PROSE_BYTES / 2);
    expect(text.endsWith('\n```')).toBe(true);
    expect(document).toBe(JSON.stringify(JSON.parse(await payloadOf(id)), null, 2));
    expect(Buffer.byteLength(document)).toBeLessThanOrEqual(DOCUMENT_BYTES);
    expect(prose).toContain('“Your account is locked, see https[:]//evil[.]example[.]com/login');
    // What programs make links of: schemes, names of hosts, addresses. Ours are the only ones.
    const own = [`${ISSUER}/v1/field-requests/${id}`, stop!];
    const rest = own.reduce((words, url) => words.replace(url, ''), prose);
    expect(rest).not.toMatch(/\p{L}[.。．｡]\p{L}|\p{L}:\S|\S@\S|[\p{Cf}]/u);
    expect(rest).not.toContain('```');

    // A document that is too long is not cut: its delivery fails, and the poll has it.
    const long = await filed('me@example.org');
    await tell(long, Array(20).fill(asked('\u{1f9ed}'.repeat(900))));
    await post();
    expect(mails.at(-1)!.subject).not.toContain(long);
    expect(await fieldRequests.deliveries({ requestId: long, limit: 1 })).toMatchObject([
      { status: 'failed', error: expect.stringContaining('longer than 65536 bytes') },
    ]);
  });

  it('of a request whose replays name one stranger after the other goes to those that confirm', async () => {
    const { mails, file, filed, tell, post, link, browser } = await openPost();
    const key = { idempotency_key: 'once' };
    const id = await filed('first@example.org', key);
    await tell(id);
    await post();
    const replay = async (email: string, of: object) => {
      expect((await file(email, of)).statusCode).toBe(200);
      await post();
    };
    for (let i = 1; i < QUESTIONS_OF_ACCOUNT; i++) await replay(`stranger-${i}@example.org`, key);
    expect(mails).toHaveLength(QUESTIONS_OF_ACCOUNT);
    expect(mails.every(({ subject }) => subject.startsWith('May Plat'))).toBe(true);
    // The first owner confirms, but the request names another address now.
    const shown = browser();
    await shown.open(link(mails[0], CONFIRM_PATH));
    await shown.send({});
    await post();
    expect(mails).toHaveLength(QUESTIONS_OF_ACCOUNT);
    await replay('first@example.org', key);
    expect(mails.at(-1)).toMatchObject({ to: 'first@example.org', subject: expect.stringContaining('was screened') });
    // One that was sent is not sent again, and no more strangers are asked.
    const other = { idempotency_key: 'twice' };
    await tell(await filed('stranger@example.org', other));
    for (let i = 0; i < 20; i++) await replay(`more-${i}@example.org`, i % 2 ? key : other);
    expect(mails).toHaveLength(QUESTIONS_OF_ACCOUNT + 1);
  });

  it('ends with one click of a mail program, for all spellings of a mailbox and all accounts, until taken back', async () => {
    const { fixture, mails, filed, tell, post, deliveries, link, browser } = await openPost();
    const id = await filed('me@example.org');
    await tell(id);
    await post();
    const shown = browser();
    await shown.open(link(mails[0], CONFIRM_PATH));
    await shown.send({});
    await post();
    expect(mails).toHaveLength(2);
    for (const mail of mails) expect(mail.stop).toBe(link(mail, STOP_PATH));
    const { pathname, search } = new URL(mails[1]!.stop!);
    expect((await shown.open(mails[1]!.stop!)).text).toContain('No more mail');
    const one = 'List-Unsubscribe=One-Click';
    const part = `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n`;
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', one],
      ['multipart/form-data; boundary=x', part],
    ] as const) {
      const headers = { 'content-type': type };
      const response = await fixture.app.inject({ method: 'POST', url: pathname + search, headers, payload });
      expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('No more mail about')]);
      await shown.open(mails[1]!.stop!);
      if (type.startsWith('app')) expect((await shown.send({})).text).toContain('comes again');
    }
    const stranger = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'free'));
    const later = [await filed('Me@Example.org'), await filed('me+tag@example.org', {}, stranger)];
    for (const one of later) {
      await tell(one);
      await post();
      expect(await deliveries(one)).toMatchObject([
        { status: 'ended', error: expect.stringContaining('no more mail') },
      ]);
    }
    expect(mails).toHaveLength(2);
    await shown.open(mails[0]!.stop!);
    expect((await shown.send({})).text).toContain('comes again');
    await tell(await filed('me@example.org'));
    await post();
    expect(mails).toHaveLength(3);
  });

  it('asks one mailbox so often a day, however it is spelled and whoever names it, and asks on later', async () => {
    const { fixture, mails, filed, tell, post } = await openPost();
    const limit = QUESTIONS_TO_MAILBOX;
    for (let i = 0; i < limit + 3; i++) {
      const account = await fixture.state.openAccount(`stranger-${i}@example.org`, 'free');
      const token = await fixture.tokens.issue(account);
      // The same account asks once; full-width letters are those of the same mailbox.
      for (const local of i % 2 === 0 ? ['Victim', 'victim'] : ['\uff36ictim', '\uff56ictim'])
        await tell(await filed(`${local}+${i}@Example.org`, {}, token));
      await post();
    }
    expect(mails).toHaveLength(limit);
    const { jobs } = fixture.state;
    const waiting = await jobs.jobs({ kind: deliveryJob.name, status: 'waiting', limit: 99 });
    expect(waiting.map(({ error }) => error)).toEqual(Array(6).fill("the day's questions to a mailbox are used up"));
  });

  it('to a confirmed mailbox comes so often a day; the rest waits', async () => {
    const { fixture, mails, filed, tell, post, deliveries } = await openPost();
    await fixture.app.inject({ url: '/v1/runs', headers: { authorization: `Bearer ${await fixture.session()}` } });
    const { id: accountId, email } = fixture.account;
    for (let i = 1; i < MAILS_TO_MAILBOX; i++) expect(await useMail(fixture, accountId, email)).toBeNull();
    const statuses: string[] = [];
    for (let i = 0; i < 3; i++) {
      const id = await filed(email);
      await tell(id);
      await post();
      statuses.push((await deliveries(id))[0]!.status);
    }
    expect([mails.length, ...statuses]).toEqual([1, 'delivered', 'waiting', 'waiting']);
    const [late] = await fixture.state.jobs.jobs({ kind: deliveryJob.name, status: 'waiting', limit: 1 });
    expect(late!.error).toBe("the day's mails to a mailbox are used up");
  });

  it('that nobody confirms in 30 days is sent no more', async () => {
    const { fixture, services, filed, tell, post, deliveries } = await openPost();
    const id = await filed('me@example.org');
    await tell(id);
    await post();
    for (const [days, status] of [
      [29, 'held'],
      [2, 'ended'],
    ] as const) {
      fixture.clock.time += days * DAY_MS;
      await fixture.state.jobs.enqueue(jobOf(expiryJob, 'schedule', {}, null));
      await doNext(services, expiryJob);
      expect(await deliveries(id)).toMatchObject([{ status }]);
    }
  });

  it('has links that are nobody else’s: others, cut ones and old ones are refused, by GET and POST', async () => {
    const { fixture, mails, filed, tell, post, link } = await openPost();
    await tell(await filed('me@example.org'));
    await post();
    const codes = [CONFIRM_PATH, STOP_PATH].map(path => new URL(link(mails[0], path)).searchParams.get('code')!);
    const wrong = ['', 'x', codes[0]!.slice(1), `${codes[0]}A`, 'a'.repeat(5_000), codes[1]!];
    const visit = (method: 'GET' | 'POST', path: string, code: string) =>
      fixture.app.inject({ method, url: `${path}?code=${encodeURIComponent(code)}` });
    for (const method of ['GET', 'POST'] as const) {
      for (const code of wrong) expect((await visit(method, CONFIRM_PATH, code)).statusCode).toBe(410);
      expect((await visit(method, STOP_PATH, codes[0]!)).statusCode).toBe(410);
    }
    fixture.clock.time += 8 * DAY_MS;
    expect((await visit('POST', CONFIRM_PATH, codes[0]!)).statusCode).toBe(410);
    expect((await visit('GET', STOP_PATH, codes[1]!)).statusCode).toBe(200);
    expect(await fixture.state.fieldRequests.mailStanding(fixture.account.id, 'me@example.org')).toBe('unconfirmed');
  });
});
