import type { Clock } from '../clock.ts';
import { type Outliving, outlive } from '../outliving.ts';
import type { AdditionKind } from '../state/agents/tables.ts';
import type { UnsentNotices } from '../state/agents/unsent-notices.ts';
import type { StateStore } from '../state/store.ts';
import type { Mailer } from './mailer.ts';
import { quoted } from './quotation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Most messages to one account in a day (UTC). The last one says so; what comes later is summed up when the day is over. */
const MOST_A_DAY = 10;

/** Bytes of a name that a message quotes. */
const NAME_BYTES = 256;

/** What was added to an account. */
interface Addition {
  readonly kind: AdditionKind;
  /** As it calls itself; null without a name. */
  readonly name: string | null;
}

const WHAT = { mcp: 'An agent', device: 'A device', token: 'An API token' } as const;
const COUNTED = {
  mcp: ['agent', 'agents'],
  device: ['device', 'devices'],
  token: ['API token', 'API tokens'],
} as const satisfies Record<AdditionKind, readonly [string, string]>;

/** Mails people that something may act for their account from now on. */
export interface AccountNotices {
  /** Sends the message beside the request. A failure is logged and fails nothing. */
  added(accountId: string, addition: Addition): void;
}

/** The message. It holds no secret. */
function messageOf(
  { kind, name }: Addition,
  { at, publicUrl, isLast }: { at: number; publicUrl: string; isLast: boolean },
) {
  const what = WHAT[kind];
  const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const last =
    '\n\nThis is the last message of today. If more is added, one message says how much when the day (UTC) is over. The console lists all.';
  return {
    subject: `${what} was added to your Plat account`,
    text: `${what} was added to your account on ${when} UTC${name === null ? '' : `. It calls itself ${quoted(name, NAME_BYTES)}`}.

It can act in your name and use your credits. If it was you, there is nothing to do.

If it was not, revoke it and sign out everywhere:

${publicUrl}/console${isLast ? last : ''}`,
  };
}

/** The message about what was added on a day after the last of its messages. */
export function summaryOf({ day, counts }: UnsentNotices, publicUrl: string) {
  const parts = Object.entries(COUNTED).flatMap(([kind, [one, many]]) => {
    const count = counts[kind as AdditionKind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
  return {
    subject: `More was added to your Plat account on ${date}`,
    text: `After the last message of ${date} (UTC), these were added to your account: ${new Intl.ListFormat('en').format(parts)}.

Each can act in your name and use your credits. If it was you, there is nothing to do.

If it was not, revoke them and sign out everywhere:

${publicUrl}/console`,
  };
}

/** @param publicUrl the address under which clients reach the server. @param failed is told why a message was not sent. */
export function accountNotices(
  {
    state,
    mailer,
    clock,
    outliving,
    publicUrl,
  }: {
    readonly state: StateStore;
    readonly mailer: Mailer;
    readonly clock: Clock;
    readonly outliving: Outliving;
    readonly publicUrl: string;
  },
  failed: (error: unknown) => void,
): AccountNotices {
  const send = async (accountId: string, addition: Addition) => {
    const to = await state.identities.addressOf(accountId);
    // Nobody has signed in to the account, so no address is known to be its owner's.
    if (to === null) return;
    const at = clock.now();
    const sent = await state.attempts.count(`account mail:${accountId}`, at, DAY_MS);
    if (sent > MOST_A_DAY) return state.unsentNotices.add(accountId, Math.floor(at / DAY_MS), addition.kind);
    await mailer.send({ to, ...messageOf(addition, { at, publicUrl, isLast: sent === MOST_A_DAY }) });
  };
  return {
    added(accountId, addition) {
      void outlive(outliving, send(accountId, addition).catch(failed));
    },
  };
}
