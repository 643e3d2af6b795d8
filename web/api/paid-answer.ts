// What an answer cost is not paid again for a reload, a link that was just followed or the way back: the last of each kind is kept for
// this tab.

const nameOf = (kind: string) => `plat.paid.${kind}`;

/** The kept answer of a kind to a question; null where another one was asked last. */
export function paidAnswer<T>(kind: string, question: string): T | null {
  try {
    const [of, answer] = JSON.parse(sessionStorage.getItem(nameOf(kind)) ?? '[]') as [string?, T?];
    return of === question ? (answer ?? null) : null;
  } catch {
    return null;
  }
}

/** Keeps the answer of a kind to a question, in the place of the last one. */
export function keepPaidAnswer(kind: string, question: string, answer: unknown): void {
  try {
    sessionStorage.setItem(nameOf(kind), JSON.stringify([question, answer]));
  } catch {
    // A browser keeps some megabytes: what is larger is paid anew.
  }
}
