import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { clientOf } from '../../http/client.ts';
import type { Attempts } from '../../state/sign-in/attempts.ts';

const LENGTH_MS = 60 * 60 * 1000;

/** How much strangers may start in an hour, from one address and in all. */
const OAUTH_LIMITS = {
  registration: { ofClient: 30, ofAll: 3_000 },
  metadata: { ofClient: 60, ofAll: 6_000 },
} as const;

/** Counts one start by a stranger. @returns seconds to wait, or 0. */
export async function waitFor(
  attempts: Attempts,
  clock: Clock,
  what: keyof typeof OAUTH_LIMITS,
  address: string,
): Promise<number> {
  const now = clock.now();
  const { ofClient, ofAll } = OAUTH_LIMITS[what];
  const mine = createHash('sha256').update(clientOf(address)).digest('base64url');
  const ofThis = await attempts.count(`oauth ${what}:${mine}`, now, LENGTH_MS);
  // A refused address must not use up what all share.
  const all = ofThis > ofClient ? 0 : await attempts.count(`oauth ${what}:all`, now, LENGTH_MS);
  return ofThis > ofClient || all > ofAll ? Math.ceil((LENGTH_MS - (now % LENGTH_MS)) / 1000) : 0;
}
