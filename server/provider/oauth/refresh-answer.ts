import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Seal } from '../../auth/seal.ts';
import type { Clock } from '../../clock.ts';
import { digestOf } from '../../state/sign-in/digest.ts';
import type { ProviderRecords } from '../../state/sign-in/provider-records.ts';

/** Milliseconds for which a refresh token that was just used gets the same answer again. */
const AGAIN_MS = 10_000;
const KIND = 'RefreshAnswer';
/** Tries to read an answer that another request is about to store, and milliseconds between two. */
const READS = { count: 60, waitMs: 50 } as const;

/** The refresh token of a request that came back within the time. */
interface Refreshing {
  again: string | null;
}

/** The answer to a refresh token, and the refresh token in it. */
interface RefreshAnswer {
  readonly body: unknown;
  readonly next: string;
}

/**
 * Answers a refresh token that comes back within ten seconds as it was answered the first time: two tabs use the same one,
 * and a client whose connection broke tries again. It must be the one just before the present one. Any other use of an
 * old token ends the grant (OAuth 2.1, 4.3.1).
 */
export interface RefreshAnswers {
  /** Does the work of a token request. */
  middleware(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void>;
  /** The records of refresh tokens. Within the time, the one just before the present one is not used up. */
  adapter(store: Adapter): Adapter;
}

export function refreshAnswers(records: ProviderRecords, seal: Seal, clock: Clock): RefreshAnswers {
  const current = new AsyncLocalStorage<Refreshing>();
  const answerTo = async (token: string): Promise<RefreshAnswer | null> => {
    const record = await records.find(KIND, 'id', digestOf(token), clock.now());
    const text = record && seal.open(record.sealed);
    return text ? (JSON.parse(text) as RefreshAnswer) : null;
  };
  /** Whether the token after a token is unused, as far as it is known yet. */
  const isLast = async (token: string): Promise<boolean> => {
    const answer = await answerTo(token);
    const next = answer && (await records.find('RefreshToken', 'id', digestOf(answer.next), clock.now()));
    return !answer || next?.consumedAt === null;
  };
  const firstAnswer = async (token: string): Promise<unknown> => {
    for (let i = 0; i < READS.count; i++) {
      const answer = await answerTo(token);
      if (answer) return answer.body;
      await setTimeout(READS.waitMs);
    }
    return null;
  };
  return {
    async middleware(ctx, next) {
      const refreshing: Refreshing = { again: null };
      await current.run(refreshing, next);
      const { RotatedRefreshToken: used, RefreshToken: present } = ctx.oidc?.entities ?? {};
      if (refreshing.again !== null) {
        const body = await firstAnswer(refreshing.again);
        ctx.status = body === null ? 503 : 200;
        ctx.body = body ?? { error: 'temporarily_unavailable', error_description: 'it is used just now: try again' };
        return;
      }
      if (!used || !present || ctx.status !== 200) return;
      await records.put({
        kind: KIND,
        id: digestOf(used.jti),
        sealed: seal.close(JSON.stringify({ body: ctx.body, next: present.jti } satisfies RefreshAnswer)),
        uid: null,
        userCode: null,
        grantId: used.grantId === undefined ? null : digestOf(used.grantId),
        userId: used.accountId ?? null,
        expiresAt: clock.now() + AGAIN_MS,
      });
    },
    adapter: store => ({
      ...store,
      async find(id) {
        const payload = (await store.find(id)) as AdapterPayload | undefined;
        const refreshing = current.getStore();
        if (!refreshing || payload?.consumed === undefined) return payload;
        const record = await records.find('RefreshToken', 'id', digestOf(id), clock.now());
        if (!record?.consumedAt || clock.now() >= record.consumedAt + AGAIN_MS || !(await isLast(id))) return payload;
        const { consumed: _, ...unused } = payload;
        return unused;
      },
      async consume(id) {
        const refreshing = current.getStore();
        await store.consume(id).catch((error: unknown) => {
          // It was used already. Until here the client, the grant and the person were judged as for a first use.
          if (refreshing && error instanceof errors.InvalidGrant) refreshing.again = id;
          throw error;
        });
      },
    }),
  };
}
