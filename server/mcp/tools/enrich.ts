import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { enrichPlace, enrichText } from '../../enrich/operation.ts';
import { EnrichBody } from '../../enrich/schema.ts';
import { LOCATION_LIMIT_MS } from '../../fetch/location.ts';
import { placeLine, recordLine, type SaidRecord, textOf, valueText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** An enrich answer, parsed from its text. */
interface Enriched {
  readonly lat: number;
  readonly lng: number;
  readonly resolved_location: { readonly source: string };
  readonly parcel_match: {
    readonly status: string;
    readonly parcel: object | null;
    readonly candidates: readonly object[];
    readonly reason: string | null;
  };
  readonly fields: Readonly<Record<string, SaidRecord>>;
}

/** POST /v1/enrich. */
export const enrichTool: Tool = {
  name: 'enrich',
  title: 'Everything known of a parcel',
  description: catalog =>
    `Matches a place to one parcel and answers up to ${enrichCatalogOf(catalog).fields.size} fields of it with provenance and hints what each value means. Without fields and preset all of them, a long answer: choose. Free.`,
  readOnly: true,
  forms: [
    form({
      schema: EnrichBody,
      limitMs: LOCATION_LIMIT_MS,
      async answer({ ctx }, body) {
        const result = JSON.parse(enrichText(await enrichPlace(ctx, body)).toString('utf8')) as Enriched;
        const { status, parcel, candidates, reason } = result.parcel_match;
        const match = `Parcel ${status}${parcel === null ? '' : `: ${valueText(parcel)}`}${reason === null ? '' : `: ${reason}`}`;
        const lines = Object.entries(result.fields).map(([name, record]) => recordLine(name, record));
        const others = candidates.map(candidate => `Candidate: ${valueText(candidate)}`);
        return { structured: result, text: textOf([placeLine(result), match, ...others, ...lines]) };
      },
    }),
  ],
};
