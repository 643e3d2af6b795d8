import { type Static, Type } from 'typebox';

const maybeTime = Type.Union([Type.String(), Type.Null()]);

const RECORD = {
  id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  expires_at: Type.String(),
  last_used_at: { ...maybeTime, description: 'Noted every ten seconds; null before the first use.' },
  recoverable: Type.Boolean({
    description: 'Whether it can be shown again: not after the secret that signs tokens was changed.',
  }),
  status: Type.Enum(['active', 'expired', 'revoked']),
};

export const TokenRecordSchema = Type.Object(RECORD, {
  $id: 'Token',
  additionalProperties: false,
  description: 'An API token, without its secret part.',
});

export const TokenListResponse = Type.Object(
  { tokens: Type.Array(Type.Ref('Token#'), { description: 'Newest first, 1,000 at most.' }) },
  { additionalProperties: false },
);

export const TokenCreateBody = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        // No control characters: lists of tokens are shown in terminals too.
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
        description: 'What it is for. No control characters.',
      }),
    ),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, description: 'Default 90.' })),
  },
  { additionalProperties: false },
);
export type TokenCreateBody = Static<typeof TokenCreateBody>;

export const TokenCreated = Type.Object(
  { ...RECORD, token: Type.String({ description: 'Keep it secret: it can do what the account can.' }) },
  { additionalProperties: false },
);

export const TokenRevealed = Type.Object({ id: Type.String(), token: Type.String() }, { additionalProperties: false });

export const TokenParams = Type.Object({ id: Type.String({ description: 'Id of a token.' }) });
