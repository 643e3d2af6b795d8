import pg from 'pg';

/** @throws Error for an address that is not `postgres://…` or `postgresql://…`; it never repeats it. */
export function requirePostgres(url: string): void {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error('--queue: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE');
}

/** The words of the database, or of a pooler before it; else the code of what failed on the way there. They repeat no password. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  return (error instanceof pg.DatabaseError ? message : (code ?? message)) ?? 'no reason given';
}

/**
 * Connects to a PostgreSQL database.
 * @param url `postgres://…` or `postgresql://…`.
 * @throws Error that never repeats the URL, which may hold a password.
 */
export async function connected(url: string): Promise<pg.Client> {
  requirePostgres(url);
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'plat ingest',
  });
  // A connection that the database closes tells its next user.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Error(`--queue: the database cannot be reached (${reasonOf(error)})`, { cause: error });
  }
}

/** Makes tables where there are none. Two processes that do so at once may trip over each other: then it asks again. */
export async function makeTables(client: Pick<pg.Pool, 'query'>, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(sql);
      return;
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (attempt === 10 || !['23505', '42P06', '42P07', 'XX000'].includes(code ?? '')) throw error;
    }
}
