import { Layers } from '../release/layers.ts';
import type { SharedColumns } from '../search/columns/shared-columns.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { ended, findPage, type PageEnd } from '../search/page/page-search.ts';
import { PageWriter } from '../search/page/page-writer.ts';
import { RowTexts } from '../search/page/row-texts.ts';
import type { WrittenPage, WrittenResult } from '../search/page/written-page.ts';
import { judgeAreas } from '../search/request/area.ts';
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
    const outline = request.outline ? { outline: matches.outline() } : {};
    return enrich
      ? { ...(await enriched(page, matches, environment, layers)), ...outline }
      : { ...page, matches: matches.text(), ...outline, ...(columnsRead ? { columnsRead } : {}) };
  } finally {
    matches.release();
    environment.cache.leave();
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
