import { DamagedFile } from '../format/damaged-file.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import { Layers } from '../release/layers.ts';
import type { SharedColumns } from '../search/columns/shared-columns.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { findNotices, type Notice } from '../search/page/notices.ts';
import { ended, findPage, type PageEnd } from '../search/page/page-search.ts';
import { PageWriter } from '../search/page/page-writer.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import { noMatches, type WrittenPage, type WrittenResult } from '../search/page/written-page.ts';
import { judgeAreas } from '../search/request/area.ts';
import type { PreparedTest } from '../search/request/filter.ts';
import type { SearchRequest } from '../search/request/request.ts';
import { PageEnrichment } from './page-enrichment.ts';

/**
 * One page of a search: candidates in stored order, judged one by one until the page is full, and then on to the next
 * match, so that `exhausted` is said exactly when there is none.
 * @throws Interrupted when `stopped` says so.
 */
export async function search(request: SearchRequest, environment: SearchEnvironment): Promise<WrittenResult> {
  const layers =
    environment.plan?.layers ?? (environment.release ? new Layers(environment.release, environment.cache) : null);
  const columnsRead: SharedColumns | null = request.handOver ? { columns: new Map(), features: [] } : null;
  const { outputs, countyByFips, enrich = false } = request;
  const matches = new PageWriter(outputs, countyByFips, enrich, environment.texts ?? RowTexts.of(environment.cache));
  environment.cache.enter();
  try {
    const { filters, budget } = request;
    const { issues, prepared: areas } = await judgeAreas(filters.areas, budget.maxSquareKm);
    if (issues.length) return { issues };
    const page = await findPage({ request, environment, layers, areas, matches, columnsRead });
    const told = layers ? await noticesOf(request, page, environment, layers, areas, matches.count, columnsRead) : [];
    if (!told) return noneHeld();
    const notices = told.length ? { notices: told } : {};
    const outline = request.outline ? { outline: matches.outline() } : {};
    return enrich
      ? { ...(await enriched(page, matches, environment, layers)), ...outline, ...notices }
      : { ...page, matches: matches.text(), ...outline, ...notices, ...(columnsRead ? { columnsRead } : {}) };
  } finally {
    matches.release();
    environment.cache.leave();
  }
}

/** Stands for the page of a thread that lacks columns which notices ask: another thread must make it. */
const noneHeld = (): WrittenPage => ({ ...ended('source_unavailable', null), matches: noMatches() });

/** What the page that ends a walk says of the filters; null where a thread that reads nothing cannot tell. */
async function noticesOf(
  { filters, after }: SearchRequest,
  { next, reason }: PageEnd,
  { catalog, plan, deadline, stopped }: SearchEnvironment,
  layers: Layers,
  areas: readonly PreparedTest[],
  matches: number,
  columnsRead: SharedColumns | null,
): Promise<readonly Notice[] | null> {
  if (next || (reason !== 'exhausted' && reason !== 'field_data_unavailable')) return [];
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new Fault('the time for notices was up');
  };
  const { tests } = filters;
  const empty = matches === 0 && after === null;
  const used = columnsRead?.columns ?? null;
  try {
    return await findNotices({ layers, catalog, tests, areas, empty, reads: !plan, used, check });
  } catch (error) {
    // The page is right without them.
    if (error instanceof Fault || error instanceof DamagedFile) return [];
    throw error;
  }
}

/** Enriches the matches of a page, which stays what it is but for failures: those make it partial. */
async function enriched(
  page: PageEnd,
  matches: PageWriter,
  environment: SearchEnvironment,
  layers: Layers | null,
): Promise<WrittenPage> {
  const enrichment = new PageEnrichment({ ...environment, layers: layers! });
  const written = { ...page, matches: await matches.enrichedText((match, out) => enrichment.write(match, out)) };
  if (!enrichment.failures || page.status === 'partial') return written;
  const reason = Date.now() >= environment.deadline ? 'timeout' : 'field_data_unavailable';
  return { ...written, ...ended(reason, page.next) };
}
