/** What a token or an agent may do: read what costs nothing, spend credits, write what stays. */
export const SCOPES = ['read', 'spend', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** The limits of a token or an agent beside those of its account. */
export interface Terms {
  readonly scopes: readonly Scope[];
  /** Credits from midnight to midnight UTC; null for no limit of its own. */
  readonly creditsADay: number | null;
}

/** Those of a token that was made without any. */
export const ALL_TERMS: Terms = { scopes: SCOPES, creditsADay: null };
/** Those of an agent and of a device that somebody let in. */
export const AGENT_TERMS: Terms = { scopes: ['read', 'spend'], creditsADay: 200 };

/** Scopes as they are stored: their names with spaces between them. Others are left out. */
export const scopesIn = (stored: string): Scope[] => SCOPES.filter(scope => stored.split(' ').includes(scope));

/** The scopes of a list that are missing. */
export const missingScopes = (needed: readonly Scope[], { scopes }: Terms): Scope[] =>
  needed.filter(scope => !scopes.includes(scope));
