import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { reserveCredits, settleCredits } from '../../credits/charge.ts';
import { creditsOf } from '../../credits/price.ts';
import { ServiceError } from '../../errors/registry.ts';
import type { Dossier } from '../../sites/dossier.ts';
import { readDossier } from '../../sites/operation.ts';
import { composed } from '../answer.ts';
import { type AskRecord, type Evidence, noTokens, type Plan } from '../backend.ts';
import { ASK_LIMIT_MS, type AskServices, giveBack, WRITER_LIMIT_MS } from '../operation.ts';
import { MAX_PLANNED, planQuestion } from '../plan/planner.ts';
import { within } from '../stage.ts';
import { withCommas } from '../write/phrase.ts';
import { areaSentences } from './area-sentences.ts';
import type { AskSiteBody, AskSiteResult } from './schema.ts';
import { siteRecords } from './site-records.ts';

const CREDITS = creditsOf('POST /v1/ask-site');

/** Records of a dossier with what their fields are and mean; a field that the catalog has won since is left out. */
function evidenceOf(ctx: Ctx, names: readonly string[], dossier: Dossier): Evidence[] {
  return names.flatMap(name => {
    const field = ctx.catalog.fields.get(name);
    const kept = dossier.records[name];
    if (!field || !kept) return [];
    const { area, ...record } = kept;
    const said = area === null ? [] : areaSentences(field, area);
    // Where the whole site has a value, its interior point says the less: without one there it still is an answer.
    const ofSite = area?.status === 'ok' && record.status !== 'ok' ? { status: 'ok' as const, value: null } : {};
    const { title, description, hint } = field;
    const at = "At the site's interior point";
    return [{ field: name, title, description, hint, area: said, at, record: { ...(record as AskRecord), ...ofSite } }];
  });
}

/** The dossier of a site that may be asked about. @throws ServiceError site_not_found, site_not_ready, site_failed. */
async function readyDossier(ctx: Ctx, siteId: string): Promise<Dossier> {
  const { status, error, dossier } = await readDossier(ctx, siteId);
  if (status === 'failed')
    throw new ServiceError('site_failed', { reason: error ?? 'its screening ended without a reason' });
  if (dossier === null) throw new ServiceError('site_not_ready');
  return dossier;
}

/**
 * POST /v1/ask-site: a question about a registered site, answered from its stored dossier. Nothing is fetched; the fields are
 * chosen by words, so that a model is asked once.
 * @param body already of the right shape.
 * @throws ServiceError site_not_found, site_not_ready, site_failed, ask_busy, credits_exhausted, and those of the ask family,
 * which give all credits back; AbortError when the client has gone.
 */
export async function askSite(
  ctx: Ctx,
  { backend, gate, limits }: AskServices,
  body: AskSiteBody,
): Promise<AskSiteResult> {
  const { site_id, question } = body;
  const dossier = await readyDossier(ctx, site_id);
  const leave = gate.enter();
  if (!leave) throw new ServiceError('ask_busy');
  try {
    const reservation = await reserveCredits(ctx, randomUUID(), 'ask-site', [CREDITS]);
    const answer = async (signal: AbortSignal) => {
      const own = siteRecords(question, dossier);
      const words = planQuestion(ctx.catalog, question);
      const evidence = [...own, ...evidenceOf(ctx, words.fields, dossier)].slice(0, MAX_PLANNED);
      const parts = own.length > 0 ? words.parts.filter(part => part.fields.length > 0) : words.parts;
      const plan: Plan = { ...words, parts, fields: evidence.map(({ field }) => field) };
      const about = `a registered site of ${withCommas(dossier.acres)} acres`;
      return within({ ...ctx, signal }, limits?.writer ?? WRITER_LIMIT_MS, inner =>
        composed(backend, { question, plan, evidence, about }, { signal: inner, usage: noTokens() }, () => {}, []),
      );
    };
    const {
      sentences: _,
      dropped: __,
      ...answered
    } = await within(ctx, limits?.whole ?? ASK_LIMIT_MS, answer).catch(async (error: unknown) => {
      await giveBack(ctx, reservation);
      throw error;
    });
    await settleCredits(ctx, reservation, CREDITS);
    return { site_id, question, answered_at: new Date(ctx.clock.now()).toISOString(), ...answered };
  } finally {
    leave();
  }
}
