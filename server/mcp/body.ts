/** A body as its route takes it. */
export function withoutOperation(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { operation: _, ...own } = body as { readonly operation?: unknown };
  return own;
}
