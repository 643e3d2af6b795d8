import { creditsOf } from '../../credits/price.ts';
import { GEOCODE_LIMIT_MS, geocodeAddress } from '../../geocode/operation.ts';
import { GeocodeBody } from '../../geocode/schema.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { placeAddress } from '../view/explorer.ts';

/** POST /v1/geocode. */
export const geocodeTool: Tool = {
  name: 'geocode',
  title: 'The place of an address',
  description: () =>
    `The coordinate of a street address with its grade. Compare normalized_address with what was asked. ${creditsOf('POST /v1/geocode')} credit when it is found. The other tools take addresses themselves.`,
  when: 'The place of an address: {tool}.',
  readOnly: true,
  isMapped: true,
  forms: [
    form({
      schema: GeocodeBody,
      route: 'POST /v1/geocode',
      limitMs: GEOCODE_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const block = await geocodeAddress(ctx, body);
        const { lat, lng, accuracy_type: grade, normalized_address: address, precision_note: note } = block;
        return {
          beside: { view_url: placeAddress(services.publicUrl, '/', { lat, lng }) },
          structured: block,
          text: shortText([`${lat}, ${lng} (${grade}): ${address ?? 'no address'}. ${note ?? ''}`.trim()]),
        };
      },
    }),
  ],
};
