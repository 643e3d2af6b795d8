import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { Seal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import { StateUnavailable } from '../state/outage/unavailable.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { ProviderRecord, ProviderRecords } from '../state/sign-in/provider-records.ts';

const digestOrNull = (text: unknown) => (typeof text === 'string' ? digestOf(text) : null);

/** Turns an outage of the state store into the OAuth error for it (RFC 6749, 4.1.2.1): 503 instead of 500. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
    throw Object.assign(new errors.TemporarilyUnavailable('the state store does not answer: try again'), {
      status: 503,
      statusCode: 503,
    });
  }
}

/** Milliseconds that a self-registered client is kept before its first use, and after each use. */
const UNUSED_CLIENT_MS = 24 * 60 * 60 * 1000;
const USED_CLIENT_MS = 90 * 24 * 60 * 60 * 1000;
const CLIENT = 'Client';

function expiresAt(kind: string, seconds: number | undefined, now: number): number | null {
  if (seconds !== undefined) return now + seconds * 1000;
  return kind === CLIENT ? now + UNUSED_CLIENT_MS : null;
}

/** Extends the life of a self-registered client because it was used. Does nothing for other clients. */
export const keepClient = (records: ProviderRecords, clock: Clock, clientId: string): Promise<void> =>
  records.extend(CLIENT, digestOf(clientId), clock.now() + USED_CLIENT_MS);

/**
 * Stores the records of oidc-provider in the state store. Secrets (codes, tokens, ids of sessions) are stored as
 * digests, and their records are encrypted, so that nobody can use them who only reads the database.
 */
export function recordAdapter(records: ProviderRecords, seal: Seal, clock: Clock): AdapterFactory {
  const toPayload = (record: ProviderRecord | null): AdapterPayload | undefined => {
    const text = record && seal.open(record.sealed);
    if (!text) return undefined;
    const payload = JSON.parse(text) as AdapterPayload;
    return record.consumedAt === null ? payload : { ...payload, consumed: Math.floor(record.consumedAt / 1000) };
  };
  return (kind): Adapter => {
    const find = async (by: 'id' | 'uid' | 'user_code', value: string) =>
      toPayload(await told(records.find(kind, by, digestOf(value), clock.now())));
    return {
      upsert: (id, payload, expiresIn) =>
        told(
          records.put({
            kind,
            id: digestOf(id),
            sealed: seal.close(JSON.stringify(payload)),
            uid: digestOrNull(payload.uid),
            userCode: digestOrNull(payload.userCode),
            grantId: digestOrNull(payload.grantId),
            userId: payload.accountId ?? null,
            expiresAt: expiresAt(kind, expiresIn, clock.now()),
          }),
        ),
      find: id => find('id', id),
      findByUid: uid => find('uid', uid),
      findByUserCode: code => find('user_code', code),
      async consume(id) {
        if (!(await told(records.consume(kind, digestOf(id), clock.now()))))
          throw new errors.InvalidGrant('it was used already');
      },
      destroy: id => told(records.remove(kind, digestOf(id))),
      revokeByGrantId: id => told(records.removeGrant(kind, digestOf(id))),
    };
  };
}
