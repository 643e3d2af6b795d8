import { randomBytes } from 'node:crypto';
import { endAllSessions } from '../auth/session.ts';
import { clientOf } from '../http/client.ts';
import type { Mailer } from '../mail/mailer.ts';
import { throttled } from '../rate/throttle.ts';
import type { Account } from '../state/account.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import { EMBEDDED } from '../state/sign-in/identities.ts';
import type { User } from '../state/sign-in/users.ts';
import { hashPassword, PASSWORD_LENGTH } from './password.ts';
import { inTurn, type Refusal, type SignInServices } from './sign-in.ts';
import { weakness } from './weak-password.ts';

/** Milliseconds that a code sent by mail is valid. */
const CODE_MS = 60 * 60 * 1000;
const CODE_BYTES = 24;
/** One `@`, no spaces or control characters, and nothing that mail software reads as several addresses. */
const EMAIL = /^[^\s@\p{Cc}<>(),;:"\\[\]]{1,64}@[^\s@\p{Cc}<>(),;:"\\[\]]{1,189}$/u;

/** The services for choosing a password. */
export interface PasswordServices extends SignInServices {
  readonly mailer: Mailer;
  /** The address under which clients reach the server. */
  readonly issuer: string;
}

/**
 * Mails a link for choosing a password to an address. New accounts and forgotten passwords use the same link, so that
 * nobody learns from it who has an account.
 * @throws MailRefused.
 */
export async function sendPasswordLink(
  { state, clock, mailer, issuer }: PasswordServices,
  { email, ip }: { readonly email: string; readonly ip: string },
): Promise<'sent' | Refusal> {
  const address = email.trim().toLowerCase();
  if (!EMAIL.test(address)) return { refused: 'wrong' };
  const client = clientOf(ip);
  const wait = await throttled(state.attempts, clock, {
    'mail to an address from a client': `${client} ${address}`,
    'mail for a client': client,
    'mail to an address': address,
  });
  if (wait) return { refused: 'wait', seconds: wait.seconds };
  const code = randomBytes(CODE_BYTES).toString('base64url');
  await state.mailCodes.add(digestOf(code), address, clock.now() + CODE_MS);
  await mailer.send({
    to: address,
    subject: 'Choose your password for Plat',
    text: `Somebody, probably you, asked to sign in to Plat with this address. To choose a password, open within an hour:

${issuer}/password/new?code=${code}

If it was not you, do nothing: without this link nothing happens.`,
  });
  return 'sent';
}

/**
 * The address of a code, without using the code; null when it is no longer valid. Nobody can guess one, so that tries are
 * not limited: a limit would keep out who has a link, beside somebody who tries codes from the same address.
 */
export const addressOfCode = ({ state, clock }: SignInServices, code: string): Promise<string | null> =>
  state.mailCodes.find(digestOf(code), clock.now());

/** Somebody who has chosen a password. */
interface Chosen {
  readonly user: User;
  /** The account that they had before. */
  readonly account: Account | null;
}

/**
 * Sets the password of the address that a code was sent to. This verifies the address and ends all earlier sessions.
 * @returns the user and the account that they had before, if any; `wrong` when the code is no longer valid or the password has
 * a wrong length; `weak` with a sentence about it when it is easy to guess.
 */
export async function choosePassword(
  services: PasswordServices,
  { code, password, signal }: { readonly code: string; readonly password: string; readonly signal: AbortSignal },
): Promise<Chosen | { readonly refused: 'weak'; readonly why: string } | Refusal> {
  const { state, clock, issuer } = services;
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.least || length > PASSWORD_LENGTH.most) return { refused: 'wrong' };
  const address = await state.mailCodes.find(digestOf(code), clock.now());
  if (address === null) return { refused: 'wrong' };
  const why = await weakness(password, address, issuer);
  if (why !== null) return { refused: 'weak', why };
  const answer = await inTurn<Chosen | Refusal>(services.browserGate, address, signal, async () => {
    if (!(await state.mailCodes.find(digestOf(code), clock.now()))) return { refused: 'wrong' };
    const kept = await hashPassword(password);
    const now = clock.now();
    const email = await state.mailCodes.take(digestOf(code), now);
    if (email === null) return { refused: 'wrong' };
    const { id } = await state.users.open(email, null);
    await state.users.setPassword(id, kept);
    await state.users.verify(id, now);
    await state.providerRecords.removeUser(id);
    const holder = await state.identities.holder(EMBEDDED, id);
    return { user: (await state.users.byId(id))!, account: holder?.account ?? null };
  });
  if ('user' in answer && answer.account) await endAllSessions(state.identities, clock, answer.account.id, 'password');
  return answer;
}
