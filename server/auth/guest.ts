import type { Clock } from '../clock.ts';
import { type Ctx, isGuest } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { createSeal } from './seal.ts';

/** What guests' tokens begin with: no other token does. */
const PREFIX = 'guest_';
const LIFETIME_MS = 60 * 60 * 1000;

/** Tokens of guests. Nothing is stored of them: each says for itself until when it holds. */
export interface GuestService {
  /** Makes a token that holds for an hour. */
  issue(): { readonly token: string; readonly expiresAt: number };
  /** Whether a token is genuine and its time is not over. */
  verify(token: string): boolean;
}

/** Whether a bearer token is checked as a guest's. */
export const looksLikeGuest = (token: string): boolean => token.startsWith(PREFIX);

/** @param secret that of API tokens: the key is derived from it for this purpose alone, so that neither stands for the other. */
export function createGuestService(secret: string, clock: Clock): GuestService {
  const seal = createSeal(secret, 'tokens of guests');
  return {
    issue() {
      const expiresAt = clock.now() + LIFETIME_MS;
      return { token: PREFIX + seal.close(String(expiresAt)), expiresAt };
    },
    verify(token) {
      const text = looksLikeGuest(token) ? seal.open(token.slice(PREFIX.length)) : null;
      return text !== null && clock.now() < Number(text);
    },
  };
}

/**
 * Holds a guest to the fields of named presets, which are what the pages of the service show. Others pass.
 * @param presets of the endpoint. @param names that the body asks for, presets expanded.
 * @throws ServiceError auth_invalid.
 */
export function requirePresetFields(
  ctx: Ctx,
  presets: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
): void {
  if (!isGuest(ctx)) return;
  const open = new Set([...presets.values()].flat());
  if (!names.every(name => open.has(name))) throw new ServiceError('auth_invalid');
}
