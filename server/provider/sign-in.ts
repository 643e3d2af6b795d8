import type { Clock } from '../clock.ts';
import { createGate, type Gate } from '../geocoder/gate.ts';
import { clientOf, networkOf } from '../http/client.ts';
import { type Tries, throttled, waiting } from '../rate/throttle.ts';
import type { User } from '../state/sign-in/users.ts';
import type { StateStore } from '../state/store.ts';
import { passwordHolds } from './password.ts';

/** Passwords that a server hashes at once. Each keeps a thread of Node's pool busy for a quarter of a second. */
const AT_ONCE = 2;
/** The same for browsers that are known, so that no crowd of strangers keeps them out. */
const BROWSERS_AT_ONCE = 1;
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
  gate: createGate(AT_ONCE),
  browserGate: createGate(BROWSERS_AT_ONCE),
});

/** Why a sign-in was refused. */
export type Refusal = { readonly refused: 'wrong' } | { readonly refused: 'wait'; readonly seconds: number };

/** Runs work that occupies a thread. When the gate is full, returns a refusal that says how long to wait. */
export async function inTurn<T>(gate: Gate, work: () => Promise<T>): Promise<T | Refusal> {
  const visit = gate.enter();
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
 * @param ip address of the client. @param known returns the browser's id if a user signed in there before, or null.
 */
export async function signInWithPassword(
  services: SignInServices,
  {
    email,
    password,
    ip,
    known = () => null,
  }: {
    readonly email: string;
    readonly password: string;
    readonly ip: string;
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
  return inTurn<{ user: User } | Refusal>(browserId === null ? gate : browserGate, async () => {
    const late = await throttled(state.attempts, clock, {}, ...limits);
    if (late) return { refused: 'wait', seconds: late.seconds };
    return (await passwordHolds(user?.password ?? null, password)) ? { user: user! } : { refused: 'wrong' };
  });
}
