import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors/registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days that a copy may be believed. RFC 9116 wants less than a year. */
const BELIEVED_DAYS = 90;
const PATH = '/.well-known/security.txt';

/** Where faults of an installation are reported, as its operator says. */
export interface SecurityContact {
  /** URIs, the preferred one first; none when the operator names none. */
  readonly contacts: readonly string[];
  /** Days within which a report is answered. */
  readonly answerDays: number;
  /** Where the operator's rules for reports are; empty when there are none. */
  readonly policy: string;
}

interface SecurityServices {
  readonly security: SecurityContact;
  readonly publicUrl: string;
  readonly clock: Clock;
}

/** The text of security.txt (RFC 9116). It is the same for a day. @param now epoch milliseconds. */
function securityText({ contacts, answerDays, policy }: SecurityContact, publicUrl: string, now: number): string {
  const expires = new Date((Math.floor(now / DAY_MS) + BELIEVED_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z');
  return [
    `# Reports are answered within ${answerDays} ${answerDays === 1 ? 'day' : 'days'}.`,
    ...contacts.map(contact => `Contact: ${contact}`),
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}${PATH}`,
    ...(policy === '' ? [] : [`Policy: ${policy}`]),
    '',
  ].join('\n');
}

/** GET /.well-known/security.txt; not found where the operator names no contact, for a wrong one is worse than none. */
export function securityRoutes(app: FastifyInstance, { security, publicUrl, clock }: SecurityServices): void {
  app.get(PATH, { schema: { hide: true } }, async (_request, reply) => {
    if (security.contacts.length === 0) throw new ServiceError('not_found');
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600');
    return securityText(security, publicUrl, clock.now());
  });
}
