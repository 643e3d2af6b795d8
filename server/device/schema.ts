import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false } as const;

export const DeviceStartBody = Type.Object(
  {
    client_name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
        description: 'Who asks, as the approval page shall show it.',
      }),
    ),
  },
  strict,
);
export type DeviceStartBody = Static<typeof DeviceStartBody>;

export const DeviceStarted = Type.Object(
  {
    device_code: Type.String({ description: 'A secret of who polls.' }),
    user_code: Type.String({ description: 'What the user compares or types.' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String({ description: 'The same with the code in it.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    interval: Type.Integer({ description: 'Seconds between two polls.' }),
  },
  strict,
);

export const DevicePollBody = Type.Object({ device_code: Type.String({ minLength: 1, maxLength: 128 }) }, strict);
export type DevicePollBody = Static<typeof DevicePollBody>;

export const DeviceToken = Type.Object(
  {
    token: Type.String({ description: 'An API token of the account that approved. It is in this answer alone.' }),
    token_id: Type.String(),
    expires_at: Type.String({ format: 'date-time' }),
  },
  strict,
);
