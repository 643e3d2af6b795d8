import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A geocoding provider on loopback that behaves as a test says. */
export interface Provider extends AsyncDisposable {
  readonly url: string;
  /** What it was asked: path with query. */
  readonly requests: { readonly url: URL }[];
  /** How it answers from now on. */
  answer: (response: ServerResponse, request: IncomingMessage) => void;
}

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Answers nothing, and holds the connection. */
export const silent = (): void => {};

/** Sends headers at once and a blank every 10 ms for ever. */
export const dripping = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 10);
  response.once('close', () => clearInterval(timer));
};

/** Ends the connection without a word. */
export const dropping = (response: ServerResponse): void => {
  response.socket!.destroy();
};

/** Sends a part of an answer and ends the connection. */
export const breaking = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"results": [');
  setTimeout(() => response.socket?.destroy(), 5);
};

/** Sends as much as it is let. */
export const flooding = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const chunk = 'x'.repeat(65_536);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

export async function startProvider(): Promise<Provider> {
  const requests: Provider['requests'] = [];
  const server: Server = createServer((request, response) => {
    requests.push({ url: new URL(request.url!, 'http://provider') });
    provider.answer(response, request);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/geocode`,
    requests,
    answer: silent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return provider;
}
