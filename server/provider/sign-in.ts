import type { Clock } from '../clock.ts';
import { createGate, type Gate } from '../geocoder/gate.ts';
import { clientOf } from '../http/client.ts';
import type { StateStore } from '../state/store.ts';
import { passwordHolds } from './password.ts';
import { throttled } from './throttle.ts';

/** Passwords that a server derives keys of at once: each takes a thread of Node's pool for a quarter of a second. */
const AT_ONCE = 2;
/** Seconds after which a server that was busy is asked again. */
const BUSY_SECONDS = 2;

/** What signing in works with. */
export interface SignInServices {
  readonly state: StateStore;
  readonly clock: Clock;
  readonly gate: Gate;
}

/** Services for signing in to a state store, with a gate of their own for hashing passwords. */
export const signInServices = (state: StateStore, clock: Clock): SignInServices => ({
  state,
  clock,
  gate: createGate(AT_ONCE),
});

/** Why nobody was signed in. */
export type Refusal = { readonly refused: 'wrong' } | { readonly refused: 'wait'; readonly seconds: number };

/** Waits its turn for what takes a thread, or is told to come back. */
export async function inTurn<T>({ gate }: SignInServices, work: () => Promise<T>): Promise<T | Refusal> {
  const leave = gate.enter();
  if (!leave) return { refused: 'wait', seconds: BUSY_SECONDS };
  try {
    return await work();
  } finally {
    leave();
  }
}

/**
 * Whose e-mail address and password these are. A wrong password, an address that nobody has and one without a password
 * are refused alike, in the same time.
 * @param ip address of the client.
 */
export async function signInWithPassword(
  services: SignInServices,
  { email, password, ip }: { readonly email: string; readonly password: string; readonly ip: string },
): Promise<{ readonly userId: string } | Refusal> {
  const { state, clock } = services;
  const address = email.trim().toLowerCase();
  const client = clientOf(ip);
  const seconds = await throttled(state.attempts, clock, {
    'sign-in': `${client} ${address}`,
    'sign-in of a client': client,
    'sign-in to an address': address,
  });
  if (seconds > 0) return { refused: 'wait', seconds };
  return inTurn<{ userId: string } | Refusal>(services, async () => {
    const user = await state.users.byEmail(address);
    if (!(await passwordHolds(user?.password ?? null, password))) return { refused: 'wrong' };
    return { userId: user!.id };
  });
}
