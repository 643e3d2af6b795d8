import { createHash } from 'node:crypto';
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { startServer } from '../../server/service.ts';
import { type GoldenParcel, type GoldenRequest, goldenRequests, PARCELS } from './requests.ts';

/** Answer to a request of the golden net: its status and body without what differs from run to run. */
export interface GoldenAnswer {
  /** Place of the request in the net, from 0. */
  readonly index: number;
  readonly request: GoldenRequest;
  readonly text: string;
}

/** Keys whose values differ from run to run. */
const NORMALISED = new Set(['request_id', 'next_cursor', 'fetched_at', 'release']);

const plain = (body: string): string =>
  JSON.stringify(JSON.parse(body, (key, value: unknown) => (NORMALISED.has(key) && value !== null ? '-' : value)));

/**
 * Answers of the server to the requests of the golden net.
 * @param home PLAT_HOME with a release of the shared area; the server keeps its state there.
 * @param every 1 for all requests, 7 for every seventh.
 */
export async function goldenAnswers(home: string, every = 1): Promise<GoldenAnswer[]> {
  const settings = { PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' };
  const service = await startServer(readSettings(settings), catalog);
  try {
    const token = await service.tokens.issue(await service.state.openAccount('golden@example.org', 'scale'));
    // What a busy machine could not answer in time is asked again.
    const ask = async ({ path, body }: GoldenRequest, tries = 3): Promise<{ status: number; body: string }> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      return response.status >= 500 && tries > 1
        ? ask({ path, body }, tries - 1)
        : { status: response.status, body: text };
    };
    const { matches } = JSON.parse((await ask(PARCELS)).body) as { matches: GoldenParcel[] };
    const requests = goldenRequests(matches);
    const answers: GoldenAnswer[] = [];
    const left = requests.entries();
    const askOn = async () => {
      for (const [index, request] of left) {
        if (index % every > 0) continue;
        const { status, body } = await ask(request);
        answers.push({ index, request, text: `${status} ${plain(body)}` });
      }
    };
    await Promise.all([askOn(), askOn(), askOn()]);
    return answers.sort((a, b) => a.index - b.index);
  } finally {
    await service.drain(1000);
  }
}

/** Lines of the file of hashes: path and 12 digits of an answer's hash, in the order of the requests. */
export const hashLines = (answers: readonly GoldenAnswer[]): string[] =>
  answers.map(
    ({ request: { path }, text }) => `${path} ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`,
  );
