const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Most attempts in a clock window, over all servers. The limits of a client come first: what they refuse counts nowhere.
 * Limits that many share let networks in that did not come before, so that no crowd keeps a newcomer out.
 */
export const LIMITS = {
  /** Passwords for one address from one client. */
  'sign-in': { most: 10, lengthMs: 15 * MINUTE_MS },
  'sign-in of a client': { most: 100, lengthMs: 15 * MINUTE_MS },
  'sign-in to an address': { most: 100, lengthMs: HOUR_MS },
  /** The first passwords for one address from one network, and those from all networks. */
  'sign-in from a network': { most: 3, lengthMs: DAY_MS },
  'sign-in from networks': { most: 2_000, lengthMs: DAY_MS },
  /** Passwords from a browser in which their person signed in before. */
  'sign-in from a known browser': { most: 10, lengthMs: 15 * MINUTE_MS },
  /** The links in these messages live as long as the window, so who is refused has one that works. */
  'mail to an address from a client': { most: 3, lengthMs: HOUR_MS },
  'mail to an address': { most: 8, lengthMs: HOUR_MS },
  'mail for a client': { most: 30, lengthMs: HOUR_MS },
  /** Sign-ins at an external provider, each of which asks that provider something. */
  'federation for a client': { most: 60, lengthMs: 15 * MINUTE_MS },
  /** Authorizations that somebody who signed in begins. Those of others are not stored. */
  'authorization by a client': { most: 300, lengthMs: HOUR_MS },
  'registration by a client': { most: 30, lengthMs: HOUR_MS },
  'registration from a network': { most: 3, lengthMs: DAY_MS },
  'registration from networks': { most: 30_000, lengthMs: DAY_MS },
  registration: { most: 3_000, lengthMs: HOUR_MS },
  /** Fetches of the documents that describe OAuth clients. */
  'metadata for a client': { most: 60, lengthMs: HOUR_MS },
  'metadata from a network': { most: 3, lengthMs: DAY_MS },
  'metadata from networks': { most: 60_000, lengthMs: DAY_MS },
  metadata: { most: 6_000, lengthMs: HOUR_MS },
  /** Logins of devices that begin. */
  'device login of a client': { most: 20, lengthMs: 15 * MINUTE_MS },
  'device login from a network': { most: 3, lengthMs: DAY_MS },
  'device login from networks': { most: 20_000, lengthMs: DAY_MS },
  'device login': { most: 2_000, lengthMs: 15 * MINUTE_MS },
  /**
   * Requests that take credentials back, of one account with one kind of credential from one client: enough for all tokens of an
   * account. They count against nothing else.
   */
  revocations: { most: 120, lengthMs: MINUTE_MS },
  /** Suggestions for a text that is being typed, of one account: ten a second. */
  suggestions: { most: 600, lengthMs: MINUTE_MS },
  /** Mails that ask one address to confirm, for one account. */
  question: { most: 1, lengthMs: DAY_MS },
  'questions to a mailbox': { most: 3, lengthMs: DAY_MS },
  'questions of an account': { most: 10, lengthMs: DAY_MS },
  /** What one account can make Plat send, and what one receiver can get. */
  'mails to a mailbox': { most: 50, lengthMs: DAY_MS },
  'mails of an account': { most: 100, lengthMs: DAY_MS },
  'calls of an account': { most: 500, lengthMs: DAY_MS },
  'calls of an account to a host': { most: 200, lengthMs: DAY_MS },
  'calls to a host': { most: 10_000, lengthMs: DAY_MS },
} as const satisfies Record<string, { readonly most: number; readonly lengthMs: number }>;
