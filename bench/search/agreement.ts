import type { Body, Case } from './case.ts';
import type { Side } from './side.ts';

interface Page {
  readonly matches: readonly unknown[];
  readonly status: string;
  readonly completion_reason: string;
  readonly next_cursor: string | null;
}

/** The sides answered differently; the message says where first. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** A case whose answers were compared, with the bodies that each side is timed with. */
export interface Agreed {
  readonly name: string;
  /** The i-th body to be timed, none of which was asked before unless it is a page of a walk. */
  readonly body: (i: number, side: 0 | 1) => Body;
  /** Whether the timed page is full in nearly all answers, or ends with the last candidate in every answer. */
  readonly outcome: 'full' | 'exhausted' | 'mixed';
  readonly matches: number;
  /** Parcels that the filter on the state leaves, on average. */
  readonly parcels: number;
}

async function page(side: Side, body: Body): Promise<Page> {
  const reply = await side.post(body);
  if (reply.status !== 200) throw new Disagreement(`answered ${reply.status}: ${reply.body.toString('utf8', 0, 500)}`);
  return JSON.parse(reply.body.toString()) as Page;
}

function differ(name: string, body: Body, number: number, ours: Page, peer: Page): never {
  const shape = ({ matches, status, completion_reason, next_cursor }: Page) =>
    JSON.stringify({ matches: matches.length, status, completion_reason, more: next_cursor !== null });
  const at = ours.matches.findIndex((match, i) => JSON.stringify(match) !== JSON.stringify(peer.matches[i]));
  const lines = [
    `${name}: the answers to page ${number} of ${JSON.stringify(body).slice(0, 600)} differ`,
    `ours ${shape(ours)}`,
    `peer ${shape(peer)}`,
  ];
  const first = at >= 0 ? at : ours.matches.length;
  if (at >= 0 || peer.matches.length > first)
    lines.push(
      `match ${first}: ours ${JSON.stringify(ours.matches[first])?.slice(0, 1500)}`,
      `match ${first}: peer ${JSON.stringify(peer.matches[first])?.slice(0, 1500)}`,
    );
  throw new Disagreement(lines.join('\n'));
}

/** Both sides' answer to one page, the same in everything but cursor and request id. */
async function agree(name: string, sides: readonly [Side, Side], bodies: readonly [Body, Body], number: number) {
  const [ours, peer] = [await page(sides[0], bodies[0]), await page(sides[1], bodies[1])];
  const same =
    ours.status === peer.status &&
    ours.completion_reason === peer.completion_reason &&
    (ours.next_cursor === null) === (peer.next_cursor === null) &&
    JSON.stringify(ours.matches) === JSON.stringify(peer.matches);
  if (!same) differ(name, bodies[0], number, ours, peer);
  return [ours, peer] as const;
}

/**
 * Asks both sides every request of a case and the page after it, and compares matches, their order and the end.
 * @returns the bodies of the timed page: of a deep walk, with each side's own cursor.
 * @throws Disagreement with the first difference.
 */
export async function agreed(
  { name, body: make, compared, page: wanted, parcels }: Case,
  sides: readonly [Side, Side],
): Promise<Agreed> {
  const timed: [Body, Body][] = [];
  let full = 0;
  let matches = 0;
  for (let i = 0; i < compared; i++) {
    const body = make(i);
    let asked: [Body, Body] = [body, body];
    for (let number = 1; ; number++) {
      const [ours, peer] = await agree(name, sides, asked, number);
      if (number === wanted) {
        timed.push(asked);
        matches += ours.matches.length;
        if (ours.next_cursor !== null) full++;
      }
      if (ours.next_cursor === null || number > wanted) break;
      asked = [
        { ...body, cursor: ours.next_cursor },
        { ...body, cursor: peer.next_cursor },
      ];
    }
  }
  if (timed.length === 0) throw new Disagreement(`${name}: no walk is ${wanted} pages long`);
  return {
    name,
    body: wanted === 1 ? i => make(compared + i) : (i, side) => timed[i % timed.length]![side],
    outcome: full >= 0.95 * timed.length ? 'full' : full === 0 ? 'exhausted' : 'mixed',
    matches,
    parcels,
  };
}
