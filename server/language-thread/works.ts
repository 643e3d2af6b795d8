import type { Catalog } from '../../datasets/catalog.ts';
import { unsupportedIn } from '../ask/check/check.ts';
import { followUps } from '../ask/follow-ups.ts';
import { planQuestion } from '../ask/plan/planner.ts';
import { readQuestion } from '../ask/reading/reading.ts';
import { siteFollowUps, siteTask } from '../ask/site/site-task.ts';
import { CHECK, FOLLOW, PLAN, PLAN_SITE, READ, WRITE } from '../ask/works.ts';
import { writtenFrom } from '../ask/write/writer.ts';
import { meantBy } from '../field-requests/screening/exclusions.ts';
import { dispositionsOf } from '../field-requests/screening/judgement.ts';
import { subAsksOf, unwantedOf } from '../field-requests/screening/sub-asks.ts';
import { judgeAsk } from '../field-requests/screening/verdict.ts';
import { CONCLUDE, JUDGE, MEANT, READ_ASKS } from '../field-requests/screening/works.ts';
import type { LanguageWork } from '../language/language.ts';
import { findNames } from '../mcp/name-search.ts';
import { WRITE_VIEW, writeView } from '../mcp/view/writing.ts';
import { SEARCH } from '../mcp/works.ts';
import { READ_ANSWER, readAnswer } from '../receipts/reading.ts';

type Way = (catalog: Catalog, input: never) => unknown;

const done = <I, O>({ name }: LanguageWork<I, O>, by: (catalog: Catalog, input: I) => O): [string, Way] => [name, by];

/** How each work is done. What the serving thread runs imports nothing of it. */
const WORKS = new Map<string, Way>([
  done(READ, (catalog, question) => readQuestion(catalog, question)),
  done(PLAN, (catalog, { question, lacking }) => planQuestion(catalog, question, new Set(lacking))),
  done(FOLLOW, followUps),
  done(PLAN_SITE, (catalog, { question, dossier, traced }) => {
    const task = siteTask(catalog, question, dossier);
    return { task, followUps: traced ? siteFollowUps(catalog, task, dossier) : [] };
  }),
  done(WRITE, (catalog, task) =>
    writtenFrom(catalog, task).map(sentence => ({
      ...sentence,
      fault: unsupportedIn(sentence, task.evidence, catalog),
    })),
  ),
  done(CHECK, (catalog, { sentence, evidence }) => unsupportedIn(sentence, evidence, catalog)),
  done(READ_ASKS, (_, body) => ({ asks: subAsksOf(body), unwanted: unwantedOf(body) })),
  done(MEANT, meantBy),
  done(JUDGE, (catalog, { one, body, meant }) => judgeAsk(catalog, one, body, meant)),
  done(CONCLUDE, (_, { body, judgements, found }) => dispositionsOf(body, judgements, found)),
  done(SEARCH, findNames),
  done(READ_ANSWER, readAnswer),
  done(WRITE_VIEW, (_, request) => writeView(request)),
]);

/** Does a work in this thread. @throws Error when there is none of that name, which is a fault of the program. */
export function doWork(catalog: Catalog, name: string, input: unknown): unknown {
  const way = WORKS.get(name);
  if (!way) throw new Error(`Nothing does the work ${name}`);
  return way(catalog, input as never);
}
