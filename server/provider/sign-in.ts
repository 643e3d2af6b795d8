import type { Clock } from '../clock.ts';
import { clientOf, networkOf } from '../http/client.ts';
import { Gate } from '../lease/gate.ts';
import { type Tries, throttled, waiting } from '../rate/throttle.ts';
import type { User } from '../state/sign-in/users.ts';
import type { StateStore } from '../state/store.ts';
import { passwordHolds } from './password.ts';

/** Passwords that a server hashes at once. Each keeps a thread of Node's pool busy for a quarter of a second. */
const AT_ONCE = 2;
/** The same for browsers that are known, so that no crowd of strangers keeps them out. */
const BROWSERS_AT_ONCE = 1;
/** Who may wait for that: for longer, trying again is better than waiting. */
const LINE = 32;
/** Networks that a server remembers, so that those of a crowd come after who is new. */
const REMEMBERED = 10_000;
/** Seconds after which to try again when the server was busy. */
const BUSY_SECONDS = 2;

/** The services for signing in. */
export interface SignInServices {
  readonly state: StateStore;
  readonly clock: Clock;
  readonly gate: Gate;
  /** For browsers in which their person signed in before, or who came by a link in a mail. */
  readonly browserGate: Gate;
}

/** Makes the services for signing in, with gates of their own for hashing passwords. */
export const signInServices = (state: StateStore, clock: Clock): SignInServices => ({
  state,
  clock,
  gate: new Gate(AT_ONCE, { line: LINE, remembered: REMEMBERED }),
  browserGate: new Gate(BROWSERS_AT_ONCE, { line: LINE }),
});

/** Why a sign-in was refused. */
export type Refusal = { readonly refused: 'wrong' } | { readonly refused: 'wait'; readonly seconds: number };

/**
 * Runs work that occupies a thread, when its turn comes. @param owner as of the gate. @param signal of who waits.
 * @returns a refusal that says how long to wait where the line is too long. @throws AbortError.
 */
export async function inTurn<T>(
  gate: Gate,
  owner: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | Refusal> {
  const visit = await gate.enter(owner, signal);
  if (!visit) return { refused: 'wait', seconds: BUSY_SECONDS };
  try {
    return await work();
  } finally {
    visit.release();
  }
}

/**
 * The limits of a password for an address, of which one set must have room. A known browser has its own first; once they
 * are used up, perhaps by who stole its cookie, it is as good as any other (OWASP, "device cookies").
 */
function limitsOf(address: string, ip: string, browserId: string | null): readonly Tries[] {
  const client = clientOf(ip);
  const ofClient = { 'sign-in': `${client} ${address}`, 'sign-in of a client': client };
  return [
    ...(browserId === null ? [] : [{ 'sign-in from a known browser': browserId }]),
    { ...ofClient, 'sign-in from a network': `${networkOf(ip)} ${address}`, 'sign-in from networks': address },
    { ...ofClient, 'sign-in to an address': address },
  ];
}

/**
 * Signs in with e-mail address and password. A wrong password, an unknown address and an address without a password are
 * refused alike, in the same time. An attempt that is refused without a look at its password counts for nothing.
 * @param ip address of the client. @param signal aborts when the client has gone.
 * @param known returns the browser's id if a user signed in there before, or null. @throws AbortError.
 */
export async function signInWithPassword(
  services: SignInServices,
  {
    email,
    password,
    ip,
    signal,
    known = () => null,
  }: {
    readonly email: string;
    readonly password: string;
    readonly ip: string;
    readonly signal: AbortSignal;
    readonly known?: (user: User) => string | null;
  },
): Promise<{ readonly user: User } | Refusal> {
  const { state, clock, gate, browserGate } = services;
  const address = email.trim().toLowerCase();
  const user = await state.users.byEmail(address);
  const browserId = user && known(user);
  const limits = limitsOf(address, ip, browserId);
  const wait = await waiting(state.attempts, clock, {}, ...limits);
  if (wait) return { refused: 'wait', seconds: wait.seconds };
  const [line, owner] = browserId === null ? [gate, networkOf(ip)] : [browserGate, browserId];
  return inTurn<{ user: User } | Refusal>(line, owner, signal, async () => {
    const late = await throttled(state.attempts, clock, {}, ...limits);
    if (late) return { refused: 'wait', seconds: late.seconds };
    return (await passwordHolds(user?.password ?? null, password)) ? { user: user! } : { refused: 'wrong' };
  });
}
