import type { Clock } from '../clock.ts';
import { createGate, type Gate } from '../geocoder/gate.ts';
import { clientOf } from '../http/client.ts';
import type { StateStore } from '../state/store.ts';
import { passwordHolds } from './password.ts';
import { throttled } from './throttle.ts';

/** Passwords that a server hashes at once. Each keeps a thread of Node's pool busy for a quarter of a second. */
const AT_ONCE = 2;
/** Seconds after which to try again when the server was busy. */
const BUSY_SECONDS = 2;

/** The services for signing in. */
export interface SignInServices {
  readonly state: StateStore;
  readonly clock: Clock;
  readonly gate: Gate;
}

/** Makes the services for signing in, with a gate of their own for hashing passwords. */
export const signInServices = (state: StateStore, clock: Clock): SignInServices => ({
  state,
  clock,
  gate: createGate(AT_ONCE),
});

/** Why a sign-in was refused. */
export type Refusal = { readonly refused: 'wrong' } | { readonly refused: 'wait'; readonly seconds: number };

/** Runs work that occupies a thread. When the gate is full, returns a refusal that says how long to wait. */
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
 * Signs in with e-mail address and password. A wrong password, an unknown address and an address without a password are
 * refused alike, in the same time.
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
