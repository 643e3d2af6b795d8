import { type Static, Type } from 'typebox';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { enrichPlace, enrichText } from '../../enrich/operation.ts';
import { EnrichBody, type EnrichResult } from '../../enrich/schema.ts';
import { ServiceError } from '../../errors/registry.ts';
import { BATCH_LIMIT_MS } from '../../fetch/batch.ts';
import { LOCATION_LIMIT_MS } from '../../fetch/location.ts';
import { LOCATOR } from '../../fetch/schema.ts';
import { valueText } from '../../operation/value-text.ts';
import { withoutParcels } from '../holdings.ts';
import { MOST_PLACES } from '../next-call.ts';
import { placeLine, recordLine, textOf } from '../text.ts';
import { type Call, form, type Tool } from '../tool.ts';

const { lat: _, lng: __, address: ___, ...choice } = EnrichBody.properties;
const ManyBody = Type.Object(
  {
    locations: Type.Array(Type.Object(LOCATOR, { additionalProperties: false }), {
      minItems: 1,
      maxItems: MOST_PLACES,
    }),
    ...choice,
  },
  { additionalProperties: false },
);
/** The bodies of both forms in one. */
const ToolBody = Type.Object({
  ...EnrichBody.properties,
  locations: Type.Optional(
    Type.Array(Type.Unknown(), { description: `Instead: 1-${MOST_PLACES} of {lat, lng} or {address}.` }),
  ),
});

/** Lines about one place, and how many its records are. */
function linesOf(result: EnrichResult): { readonly lines: readonly string[]; readonly count: number } {
  const { count, first } = result.outline ?? { count: 0, first: {} };
  const { status, parcel, candidates, reason } = result.parcel_match;
  const match = `Parcel ${status}${parcel === null ? '' : `: ${valueText(parcel)}`}${reason === null ? '' : `: ${reason}`}`;
  const others = candidates.map(candidate => `Candidate: ${valueText(candidate)}`);
  const records = Object.entries(first).map(([name, record]) => recordLine(name, record));
  const head = [placeLine(result), match, ...others];
  return { lines: [...head, ...records], count: head.length + count };
}

/** Enriches places one after another: a place that fails is an entry, as in a batch of fetch. */
async function enrichMany({ ctx }: Call, { locations, ...rest }: Static<typeof ManyBody>) {
  const entries: Buffer[] = [];
  const lines: string[] = [];
  let count = 0;
  for (const [index, place] of locations.entries()) {
    try {
      const deadline = Math.min(ctx.deadline, ctx.clock.now() + LOCATION_LIMIT_MS);
      const result = await enrichPlace({ ...ctx, deadline }, { ...rest, ...place }, true);
      entries.push(Buffer.concat([Buffer.from(`{"index":${index},"ok":true,`), enrichText(result).subarray(1)]));
      const said = linesOf(result);
      lines.push(...said.lines);
      count += said.count;
    } catch (error) {
      if (!(error instanceof ServiceError) || ctx.signal.aborted) throw error;
      const { code, message, retryable } = error;
      entries.push(Buffer.from(JSON.stringify({ index, ok: false, error: { error: code, message, retryable } })));
      lines.push(`${code}: ${message}`);
      count++;
    }
  }
  const joined = entries.flatMap((entry, i) => (i === 0 ? [entry] : [Buffer.from(','), entry]));
  return { json: Buffer.concat([Buffer.from('{"results":['), ...joined, Buffer.from(']}')]), lines, count };
}

/** POST /v1/enrich, for one place or several. */
export const enrichTool: Tool = {
  name: 'enrich',
  title: 'Everything known of a parcel',
  remark: `up to ${MOST_PLACES} places with \`locations\``,
  description: catalog =>
    `Matches a place to one parcel and answers up to ${enrichCatalogOf(catalog).fields.size} fields of it with provenance. Up to ${MOST_PLACES} places with locations. Without fields and preset all of them, a long answer: choose. Free.`,
  lack: withoutParcels,
  when: 'All of one parcel: {tool}, with `fields` or `preset`, otherwise the answer is long.',
  readOnly: true,
  isMapped: true,
  isCited: true,
  forms: [
    form({
      key: 'locations',
      schema: ToolBody,
      judged: ManyBody,
      route: 'POST /v1/enrich',
      limitMs: BATCH_LIMIT_MS,
      async answer(call, body) {
        const { json, lines, count } = await enrichMany(call, body as Static<typeof ManyBody>);
        return { structured: json, text: textOf(lines, count) };
      },
    }),
    form({
      schema: ToolBody,
      judged: EnrichBody,
      route: 'POST /v1/enrich',
      limitMs: LOCATION_LIMIT_MS,
      async answer({ ctx }, body) {
        const result = await enrichPlace(ctx, body as EnrichBody, true);
        const { lines, count } = linesOf(result);
        return { structured: enrichText(result), text: textOf(lines, count) };
      },
    }),
  ],
};
