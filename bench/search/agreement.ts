import type { Body, Case } from './case.ts';
import type { Side } from './side.ts';

interface Page {
  readonly matches: readonly unknown[];
  readonly status: string;
  readonly completion_reason: string;
  readonly next_cursor: string | null;
}

/** Two sides answered differently; the message says where first. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
}

/** A case whose answers were compared, with the bodies that each side is timed with. */
export interface Agreed extends Pick<Case, 'name' | 'kind'> {
  /** The i-th body to be timed of a side, none of which was asked before unless it is a page of a walk. */
  readonly body: (i: number, side: number) => Body;
  /** Whether nearly all timed pages are full. */
  readonly full: boolean;
  /** On timed pages, altogether. */
  readonly matches: number;
}

async function page(side: Side, body: Body): Promise<Page> {
  const reply = await side.post(body);
  if (reply.status !== 200)
    throw new Disagreement(`${side.name} answered ${reply.status}: ${reply.body.toString('utf8', 0, 500)}`);
  return JSON.parse(reply.body.toString()) as Page;
}

function differ(name: string, body: Body, number: number, peer: string, ours: Page, theirs: Page): never {
  const shape = ({ matches, status, completion_reason, next_cursor }: Page) =>
    JSON.stringify({ matches: matches.length, status, completion_reason, more: next_cursor !== null });
  const at = ours.matches.findIndex((match, i) => JSON.stringify(match) !== JSON.stringify(theirs.matches[i]));
  const first = at >= 0 ? at : ours.matches.length;
  throw new Disagreement(
    [
      `${name}: the answers to page ${number} of ${JSON.stringify(body).slice(0, 600)} differ`,
      `ours ${shape(ours)}: match ${first}: ${JSON.stringify(ours.matches[first])?.slice(0, 1500)}`,
      `${peer} ${shape(theirs)}: match ${first}: ${JSON.stringify(theirs.matches[first])?.slice(0, 1500)}`,
    ].join('\n'),
  );
}

/** All sides' answers to one page, the same in everything but cursor and request id. */
async function agree(name: string, sides: readonly Side[], bodies: readonly Body[], number: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (const [i, side] of sides.entries()) pages.push(await page(side, bodies[i]!));
  const said = (one: Page) => JSON.stringify({ ...one, next_cursor: one.next_cursor !== null, request_id: null });
  const at = pages.findIndex(one => said(one) !== said(pages[0]!));
  if (at > 0) differ(name, bodies[0]!, number, sides[at]!.name, pages[0]!, pages[at]!);
  return pages;
}

/**
 * Asks every side every request of a case and the page after it, and compares matches, their order and the end.
 * @returns the bodies of the timed pages: of a deep walk, with each side's own cursor.
 * @throws Disagreement with the first difference.
 */
export async function agreed(
  { name, kind, body: make, compared, pages: [first, last] }: Case,
  sides: readonly Side[],
): Promise<Agreed> {
  const timed: Body[][] = [];
  let [full, matches] = [0, 0];
  for (let i = 0; i < compared; i++) {
    const body = make(i);
    let asked = sides.map(() => body);
    for (let number = 1; ; number++) {
      const answers = await agree(name, sides, asked, number);
      const [ours] = answers;
      if (number >= first && number <= last) {
        timed.push(asked);
        matches += ours!.matches.length;
        if (ours!.next_cursor !== null) full++;
      }
      if (ours!.next_cursor === null || number > last) break;
      asked = answers.map(({ next_cursor }) => ({ ...body, cursor: next_cursor }));
    }
  }
  if (timed.length === 0) throw new Disagreement(`${name}: no walk is ${first} pages long`);
  return {
    name,
    kind,
    body: last === 1 ? i => make(compared + i) : (i, side) => timed[i % timed.length]![side]!,
    full: full >= 0.95 * timed.length,
    matches,
  };
}
