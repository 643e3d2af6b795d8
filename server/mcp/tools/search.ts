import { BOUNDARY_OUTPUTS } from '../../../query/search/request/name.ts';
import { filterNames } from '../../../query/search/request/surface.ts';
import { valueText } from '../../operation/value-text.ts';
import { isObject } from '../../search/body-reader.ts';
import { pageBytes, responseText, SEARCH_LIMIT_MS, searchParcels } from '../../search/operation.ts';
import { SearchBodySchema } from '../../search/schema.ts';
import { withoutParcels } from '../holdings.ts';
import { columnsBeside } from '../search-columns.ts';
import { textOf } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { searchAddress } from '../view/explorer.ts';

/** A match of an outline. */
interface Match {
  readonly apn: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly county: string | null;
  readonly state: string;
  readonly acreage: number | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Readonly<Record<string, unknown>>;
  readonly field_status: Readonly<Record<string, string>>;
}

const named = (value: string | null, without: string) => value ?? without;

function matchLine(match: Match, index: number): string {
  const { apn, address, city, county, state, acreage, analysis_point: point, fields, field_status: status } = match;
  const place = [address, city, county, state].filter(part => part !== null).join(', ');
  const values = Object.entries(fields).map(([name, value]) =>
    status[name] === 'ok' ? `${name} ${valueText(value)}` : `${name} ${status[name] ?? 'absent'}`,
  );
  return `${index + 1}. ${named(apn, 'without number')}; ${place}; ${acreage ?? 'unknown'} acres; ${point.lat},${point.lng}; ${values.join('; ')}`;
}

/** The page of the explorer that shows all matches, where it can show such a search. */
function shownAt(origin: string, body: unknown) {
  const address = searchAddress(origin, (body as { readonly filters?: unknown }).filters);
  return address === null ? {} : { view_url: address };
}

/** Whether a form of the boundary is among the fields that were asked for. */
const asksForShape = (body: unknown): boolean =>
  isObject(body) &&
  Array.isArray(body.fields) &&
  body.fields.some(name => (BOUNDARY_OUTPUTS as readonly unknown[]).includes(name));

/** POST /v1/search. */
export const searchTool: Tool = {
  name: 'search',
  title: 'Parcels that pass filters',
  description: catalog =>
    `Parcels of chosen states that pass every filter, in stored order, not ranked. One filter must be on state (eq or in). ${filterNames(catalog).size} names can be filtered by: state, county, city, acreage, geometry, distances, zones and everything else in service_catalog with surface filter. Free. Page on with next_cursor and the same filters.`,
  lack: withoutParcels,
  when: 'Land by properties: {tool}. One filter is on `state`; the others come from `service_catalog` with `surface: "filter"`. Matches come in stored order, not ranked: read `status` and go on with `next_cursor`.',
  readOnly: true,
  isMapped: true,
  isCited: true,
  forms: [
    form({
      schema: SearchBodySchema,
      unjudged: true,
      route: 'POST /v1/search',
      limitMs: SEARCH_LIMIT_MS,
      answerBytes: pageBytes,
      shapes: asksForShape,
      async answer({ ctx, services }, body) {
        const page = await searchParcels(ctx, services.search, body, true);
        const { status, completion_reason: reason, next_cursor: cursor } = page;
        const { count, first } = page.outline!;
        const head = `${count} parcels; ${status} (${reason})${cursor === null ? '' : '; more with next_cursor'}.`;
        const lines = (JSON.parse(first) as Match[]).map(matchLine);
        return {
          beside: { ...columnsBeside(ctx, body, page.notices), ...shownAt(services.publicUrl, body) },
          structured: responseText(page),
          text: textOf([head, ...page.notices, ...lines], 1 + page.notices.length + count),
        };
      },
    }),
  ],
};
