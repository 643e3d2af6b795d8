import { randomUUID } from 'node:crypto';
import { accountOf, type Ctx } from '../../context.ts';
import { reserveCredits, settleCredits } from '../../credits/charge.ts';
import { creditsOf } from '../../credits/price.ts';
import { ServiceError } from '../../errors/registry.ts';
import { readDossier } from '../../sites/operation.ts';
import { composed } from '../answer.ts';
import { noTokens } from '../backend.ts';
import { ASK_LIMIT_MS, type AskServices, giveBack, WRITER_LIMIT_MS } from '../operation.ts';
import { within } from '../stage.ts';
import { traceOf } from '../trace.ts';
import { PLAN_SITE } from '../works.ts';
import type { AskSiteBody, AskSiteResult } from './schema.ts';

const CREDITS = creditsOf('POST /v1/ask-site');

/** The dossier, as JSON, of a site that may be asked about. @throws ServiceError site_not_found, site_not_ready, site_failed, sites_busy. */
async function readyDossier(ctx: Ctx, siteId: string): Promise<string> {
  const { status, error, dossier } = await readDossier(ctx, siteId);
  if (status === 'failed')
    throw new ServiceError('site_failed', { reason: error ?? 'its screening ended without a reason' });
  if (dossier === null) throw new ServiceError('site_not_ready');
  return dossier;
}

/**
 * POST /v1/ask-site: a question about a registered site, answered from its stored dossier. Nothing is fetched but what was corrected
 * or withheld since; the fields are chosen by words, so that a model is asked once.
 * @param body already of the right shape.
 * @throws ServiceError site_not_found, site_not_ready, site_failed, sites_busy, ask_busy, credits_exhausted, and those of the ask family,
 * which give all credits back; AbortError when the client has gone.
 */
export async function askSite(
  ctx: Ctx,
  { backend, gate, limits }: AskServices,
  body: AskSiteBody,
): Promise<AskSiteResult> {
  const { site_id, question } = body;
  const account = ctx.account?.id;
  const dossier = await readyDossier(ctx, site_id);
  const visit = await gate.enter(accountOf(ctx).id, ctx.signal);
  if (!visit) throw new ServiceError('ask_busy');
  try {
    const reservation = await reserveCredits(ctx, randomUUID(), 'ask-site', [CREDITS]);
    const answer = async (signal: AbortSignal) => {
      const traced = body.include_trace === true;
      const usage = noTokens();
      const { task, followUps } = await ctx.language.have(
        PLAN_SITE,
        { question, dossier, traced },
        { signal, account },
      );
      const { sentences, dropped, ...answered } = await within(
        { ...ctx, signal },
        limits?.writer ?? WRITER_LIMIT_MS,
        inner => composed({ backend, language: ctx.language }, task, { signal: inner, account, usage }, () => {}, []),
      );
      const { plan, evidence } = task;
      const trace = traceOf({ backend: backend.name, plan, evidence, usage, followUps }, { sentences, dropped });
      return { ...answered, ...(traced ? { trace } : {}) };
    };
    const answered = await within(ctx, limits?.whole ?? ASK_LIMIT_MS, answer).catch(async (error: unknown) => {
      await giveBack(ctx, reservation);
      throw error;
    });
    await settleCredits(ctx, reservation, CREDITS);
    return { site_id, question, answered_at: new Date(ctx.clock.now()).toISOString(), ...answered };
  } finally {
    visit.release();
  }
}
