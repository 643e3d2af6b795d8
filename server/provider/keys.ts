import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import type { Seal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import type { SigningKeys } from '../state/sign-in/signing-keys.ts';

export const ALGORITHM = 'ES256';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds for which a key signs. */
const SIGNS_MS = 30 * DAY_MS;
/** Milliseconds for which a key is published before it signs, and still verifies afterwards. */
const OVERLAP_MS = DAY_MS;
/** Milliseconds after which the store is read again. */
const FRESH_MS = 60_000;
/** Milliseconds between two reads for keys that no server of this store has. */
const COOLDOWN_MS = 1_000;

/** The keys of the embedded provider. They are stored encrypted in the state store and change every thirty days. */
export interface ProviderKeys {
  /** Private keys; the first one signs now. */
  current(): Promise<readonly JWK[]>;
  /** Finds the public key of a token. */
  readonly verifying: JWTVerifyGetKey;
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: ALGORITHM, use: 'sig' };
}

/**
 * Makes the keys that all servers of a state store share. The next key is stored a day before it signs, so that every
 * server knows it by then. When several servers store one at once, only one is kept.
 * @param seal encrypts private keys with the secret that the servers share.
 */
export function createProviderKeys(records: SigningKeys, seal: Seal, clock: Clock): ProviderKeys {
  let held: readonly JWK[] = [];
  let published = createLocalJWKSet({ keys: [] });
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;

  const file = async (signsFrom: number) => {
    const jwk = await makeKey();
    const expiresAt = signsFrom + SIGNS_MS + OVERLAP_MS;
    await records.add({ id: jwk.kid!, sealed: seal.close(JSON.stringify(jwk)), signsFrom, expiresAt });
  };
  const load = async () => {
    for (let tries = 0; ; tries++) {
      const now = clock.now();
      // Keys encrypted with another secret cannot sign here.
      const live = (await records.keys(now)).flatMap(row => {
        const text = seal.open(row.sealed);
        return text === null ? [] : [{ signsFrom: row.signsFrom, jwk: JSON.parse(text) as JWK }];
      });
      const signing = live.find(key => key.signsFrom <= now);
      if (!signing) {
        // Of two keys from one moment only the first is kept. If it has another secret, take an earlier moment for this
        // one.
        await file(now - tries);
        continue;
      }
      if (live[0] === signing && now > signing.signsFrom + SIGNS_MS - OVERLAP_MS) {
        // A server that was away for long may find that its key's time to sign is over.
        await file(Math.max(now, signing.signsFrom + SIGNS_MS));
        await records.prune(now);
        continue;
      }
      held = [signing.jwk, ...live.filter(key => key !== signing).map(key => key.jwk)];
      published = createLocalJWKSet({ keys: held.map(({ d: _, ...shown }) => shown as JWK) });
      loadedAt = clock.now();
      return;
    }
  };
  const loaded = async (age: number) => {
    if (Math.abs(clock.now() - loadedAt) < age) return;
    loading ??= load().finally(() => {
      loading = null;
    });
    await loading;
  };
  return {
    async current() {
      await loaded(FRESH_MS);
      return held;
    },
    async verifying(header, token) {
      await loaded(FRESH_MS);
      if (!held.some(key => key.kid === header?.kid)) await loaded(COOLDOWN_MS);
      return published(header, token);
    },
  };
}
