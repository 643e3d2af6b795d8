import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { isSame } from '../../query/evaluate/assurance/correction.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Effect } from '../state/jobs/queue.ts';
import { newsOf } from './delivery-job.ts';
import { presentAnswer } from './present-answer.ts';

/** Corrections that are read at once, and in one round. */
const [PORTION, MOST] = [50, 2_000];
/** Milliseconds that the answer of one may take. */
const ANSWER_MS = 20_000;

/**
 * Ends corrections whose sources have caught up: after a publication, those are superseded whose value the source says itself. Answers
 * tell the source from its publication on, because what a source says equally is never told as a correction.
 */
export const supersessionJob: JobKind = {
  name: 'correction-supersession',
  summary: 'Holds accepted corrections against a new release, and ends those that its sources say too.',
  atOnce: 1,
  attempts: 3,
  retryMs: 60_000,
  mostMs: 600_000,
  cron: '*/10 * * * *',
  async run({ state, engine, catalog, clock }, { signal }) {
    const { release } = engine.status();
    if (release === null) return undefined;
    const { corrections } = state;
    const enrich = enrichCatalogOf(catalog).fields;
    const checked: string[] = [];
    const effects: Promise<Effect>[] = [];
    let after = '';
    for (let read = 0; read < MOST; read += PORTION) {
      const due = await corrections.unchecked(release, after, PORTION);
      for (const { correction_id: id, field, value, lat, lng } of due) {
        if (signal.aborted) return undefined;
        after = id;
        // A later build may have no such field any more: answers cannot tell it, and no source can say it.
        if (!catalog.fields.has(field) && !enrich.has(field)) {
          checked.push(id);
          continue;
        }
        const terms = { deadline: clock.now() + ANSWER_MS, signal };
        const answer = await presentAnswer({ engine, catalog }, field, { lat, lng }, terms);
        // What cannot be read now is held against the release again.
        if (answer.status === 'failed') continue;
        checked.push(id);
        if (answer.source?.startsWith('correction:') || answer.status !== 'ok' || !isSame(answer.value, value))
          continue;
        const reason = `its source says the same since release ${release}`;
        const step = { id, to: 'superseded', by: 'plat', reason, now: clock.now(), news: newsOf } as const;
        effects.push(Promise.resolve(corrections.moved(step)));
      }
      if (due.length < PORTION) break;
    }
    effects.push(Promise.resolve(corrections.checked(checked, release)));
    const all = await Promise.all(effects);
    return async (tx, changes) => {
      for (const effect of all) await effect(tx, changes);
    };
  },
};
