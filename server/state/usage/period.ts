/** The month of an instant, `YYYY-MM` in UTC. @param ms epoch milliseconds. */
export function periodOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** When the allowance of that month is renewed: the 1st of the next month, 00:00 UTC. @param ms epoch milliseconds. */
export function resetOf(ms: number): Date {
  const date = new Date(ms);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
