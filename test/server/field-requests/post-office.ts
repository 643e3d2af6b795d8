import { expect } from 'vitest';
import { deliveryJob } from '../../../server/field-requests/callbacks/delivery-job.ts';
import { screeningCompleted } from '../../../server/field-requests/callbacks/news.ts';
import type { Message } from '../../../server/mail/mailer.ts';
import type { Disposition } from '../../../server/state/field-requests/disposition.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { Browser } from '../provider/browser.ts';
import { ISSUER, openFixture } from '../service-fixture.ts';
import { doNext, servicesOf } from './working.ts';

/** What somebody wants others to read in a mail of ours. */
export const EVIL =
  'Your account is locked, see https://evil.example.com/login or www.evil.example.com, mail a@evil.example.com';

/** A service over a store whose mail is read here. */
export async function openPostOffice(state: StateStore) {
  const fixture = await openFixture({ state, plan: 'free' });
  const { fieldRequests, jobs } = fixture.state;
  const mails: Message[] = [];
  const send = async (message: Message) => {
    mails.push(message);
  };
  const services = servicesOf(fixture, { mailer: { leaves: false, send, close: () => {} } });
  /** Files a request over HTTP. */
  const file = (email: string, more: object = {}, token = fixture.token) =>
    fixture.app.inject({
      method: 'POST',
      url: '/v1/field-requests',
      headers: { authorization: `Bearer ${token}` },
      payload: { description: EVIL, example_locations: [{ lat: 44.8, lng: -68.77 }], callback: { email }, ...more },
    });
  return {
    fixture,
    mails,
    services,
    file,
    /** Files a request that is taken. @returns its id. */
    async filed(email: string, more: object = {}, token?: string): Promise<string> {
      const response = await file(email, more, token);
      expect(response.statusCode).toBe(202);
      return response.json().request_id;
    },
    /** Screens a request, so that its requester is told. */
    async tell(id: string, disposition: readonly Disposition[] = []) {
      const step = { id, by: 'test', reason: '', now: fixture.clock.now() };
      await fieldRequests.move({ ...step, from: ['received'], to: 'screening' });
      const end = { from: ['screening'], to: 'rejected', disposition, news: screeningCompleted } as const;
      await fieldRequests.move({ ...step, ...end });
    },
    /** Makes the first attempt at every message. */
    async post() {
      const waiting = () => jobs.jobs({ kind: deliveryJob.name, status: 'waiting', limit: 100 });
      while ((await waiting()).some(({ attempt }) => attempt === 0)) await doNext(services, deliveryJob);
    },
    deliveries: (requestId: string) => fieldRequests.deliveries({ requestId, limit: 9 }),
    /** The link to a page in a mail. */
    link: (mail: Message | undefined, path: string) => new RegExp(`${ISSUER}${path}\\?code=\\S+`).exec(mail!.text)![0],
    browser: () => new Browser(fixture.app, ISSUER),
  };
}
