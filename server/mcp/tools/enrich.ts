import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { enrichPlace, enrichText } from '../../enrich/operation.ts';
import { EnrichBody } from '../../enrich/schema.ts';
import { LOCATION_LIMIT_MS } from '../../fetch/location.ts';
import { valueText } from '../../operation/value-text.ts';
import { placeLine, recordLine, textOf } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** POST /v1/enrich. */
export const enrichTool: Tool = {
  name: 'enrich',
  title: 'Everything known of a parcel',
  description: catalog =>
    `Matches a place to one parcel and answers up to ${enrichCatalogOf(catalog).fields.size} fields of it with provenance and hints what each value means. Without fields and preset all of them, a long answer: choose. Free.`,
  when: 'All of one parcel: {tool}, with `fields` or `preset`, otherwise the answer is long.',
  readOnly: true,
  isCited: true,
  forms: [
    form({
      schema: EnrichBody,
      route: 'POST /v1/enrich',
      limitMs: LOCATION_LIMIT_MS,
      async answer({ ctx }, body) {
        const result = await enrichPlace(ctx, body, true);
        const { count, first } = result.outline ?? { count: 0, first: {} };
        const { status, parcel, candidates, reason } = result.parcel_match;
        const match = `Parcel ${status}${parcel === null ? '' : `: ${valueText(parcel)}`}${reason === null ? '' : `: ${reason}`}`;
        const others = candidates.map(candidate => `Candidate: ${valueText(candidate)}`);
        const lines = [placeLine(result), match, ...others];
        const records = Object.entries(first).map(([name, record]) => recordLine(name, record));
        return { structured: enrichText(result), text: textOf([...lines, ...records], lines.length + count) };
      },
    }),
  ],
};
