import type { AddressInfo } from 'node:net';
import type { Fixture } from '../server/service-fixture.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  readonly json: any;
}

export interface Client {
  readonly base: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string): Promise<Reply>;
}

/** Listens with a fixture's application and talks to it over HTTP as its account. */
export async function connect(fixture: Fixture): Promise<Client> {
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const base = `http://127.0.0.1:${(fixture.app.server.address() as AddressInfo).port}`;
  const authorization = `Bearer ${fixture.token}`;
  const read = async (response: Response): Promise<Reply> => ({
    status: response.status,
    headers: response.headers,
    json: await response.json(),
  });
  return {
    base,
    async post(path, body, headers = {}) {
      return read(
        await fetch(base + path, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      );
    },
    async get(path) {
      return read(await fetch(base + path, { headers: { authorization } }));
    },
  };
}
