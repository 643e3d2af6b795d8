/** What a run that is killed was asked. */
export const BODY = {
  kind: 'fetch_batch' as const,
  request: {
    locations: [
      { lat: 44, lng: -68 },
      { lat: 45, lng: -68 },
    ],
    fields: ['elevation', 'parcel_apn'],
  },
};
/** Under which key: a store that saw another moment knows that one's still. */
export const keyOf = (moment: number | string): string => `key-of-moment-${moment}`;
/** Credits of it. */
export const PRICE = 2 * 301;
