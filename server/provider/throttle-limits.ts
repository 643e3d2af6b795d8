const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Most attempts in a clock window, over all servers. Attempts from one place lock an address for that place first. */
export const LIMITS = {
  /** Passwords for one address from one client. */
  'sign-in': { most: 10, lengthMs: 15 * MINUTE_MS },
  'sign-in of a client': { most: 100, lengthMs: 15 * MINUTE_MS },
  'sign-in to an address': { most: 100, lengthMs: HOUR_MS },
  'mail to an address': { most: 5, lengthMs: HOUR_MS },
  'mail for a client': { most: 30, lengthMs: HOUR_MS },
  'codes of a client': { most: 60, lengthMs: HOUR_MS },
} as const satisfies Record<string, { readonly most: number; readonly lengthMs: number }>;
