/** What a run that is killed was asked, and under which key. */
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
export const KEY = 'one-key-for-it';
/** Credits of it. */
export const PRICE = 2 * 301;
