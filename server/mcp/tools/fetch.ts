import { LOCATION_LIMIT_MS } from '../../fetch/location.ts';
import { fetchFields } from '../../fetch/operation.ts';
import { FetchBody } from '../../fetch/schema.ts';
import { noteFirstCall } from '../../onboarding/first-call.ts';
import { placeLine, recordLine, shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** POST /v1/fetch. */
export const fetchTool: Tool = {
  name: 'fetch',
  title: 'Values at a place',
  description: catalog =>
    `Values of up to 50 of ${catalog.fields.size} named fields at one place in the United States, each with source, vintage and status. Find names with service_catalog. 1 credit a field; fields of the parcel record cost more, see service_quote. A field without data is absent with the reason; a failed one is not a negative finding.`,
  when: 'Values at a place: {tool}, up to 50 fields.',
  readOnly: true,
  isMapped: true,
  isCited: true,
  forms: [
    form({
      schema: FetchBody,
      route: 'POST /v1/fetch',
      limitMs: LOCATION_LIMIT_MS,
      async answer({ ctx, headers }, body) {
        const result = await fetchFields(ctx, body);
        await noteFirstCall(ctx, headers, result);
        const lines = Object.entries(result.fields).map(([name, record]) => recordLine(name, record));
        return { structured: result, text: shortText([placeLine(result), ...lines]) };
      },
    }),
  ],
};
