// What an answer cost is not paid again for a reload, a link that was just followed or the way back: the last of each kind is kept for
// this tab, as long as it has the same token.

/** Questions that cost credits and are asked again by the address of a page. */
const KINDS = ['drive', 'reach', 'buildable'] as const;
export type PaidKind = (typeof KINDS)[number];

const KEY_OF: Readonly<Record<PaidKind, string>> = {
  drive: 'plat.paid.drive',
  reach: 'plat.paid.reach',
  buildable: 'plat.paid.buildable',
};

/** The kept answer of a kind to a question; null where another one was asked last. */
export function paidAnswer<T>(kind: PaidKind, question: string): T | null {
  try {
    const [of, answer] = JSON.parse(sessionStorage.getItem(KEY_OF[kind]) ?? '[]') as [string?, T?];
    return of === question ? (answer ?? null) : null;
  } catch {
    return null;
  }
}

/** Keeps the answer of a kind to a question, in the place of the last one. */
export function keepPaidAnswer(kind: PaidKind, question: string, answer: unknown): void {
  const PAID_KEY = KEY_OF[kind];
  try {
    sessionStorage.setItem(PAID_KEY, JSON.stringify([question, answer]));
  } catch {
    // A browser keeps some megabytes: what is larger is paid anew.
  }
}

/** Forgets all of them: they are of the account that paid. */
export function forgetPaidAnswers(): void {
  for (const kind of KINDS) sessionStorage.removeItem(KEY_OF[kind]);
}
