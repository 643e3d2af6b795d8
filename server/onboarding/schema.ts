import { type Static, Type } from 'typebox';

const strict = { additionalProperties: false } as const;
const maybeTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const TermsResponse = Type.Object(
  {
    version: Type.String(),
    sha256: Type.String({ description: 'Of the document at `url`, byte by byte, in hexadecimal.' }),
    url: Type.String(),
    privacy_url: Type.String(),
    notice: Type.String({ description: 'What to show beside the button.' }),
  },
  strict,
);

export const OnboardingBody = Type.Object(
  {
    terms_version: Type.String({ minLength: 1, maxLength: 64 }),
    terms_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  },
  { ...strict, description: 'The terms as GET /v1/onboarding/terms named them when they were shown.' },
);
export type OnboardingBody = Static<typeof OnboardingBody>;

export const OnboardingStart = Type.Object(
  {
    attempt_id: Type.String(),
    connect_code: Type.String({ description: 'A secret, good once within 15 minutes. It is in this answer alone.' }),
    expires_at: Type.String({ format: 'date-time', description: 'Of the code.' }),
  },
  strict,
);

export const ExchangeBody = Type.Object({ connect_code: Type.String({ minLength: 1, maxLength: 128 }) }, strict);
export type ExchangeBody = Static<typeof ExchangeBody>;

export const ExchangeResponse = Type.Object(
  {
    attempt_id: Type.String(),
    token: Type.String({ description: 'An API token of the account.' }),
    token_id: Type.String(),
    expires_at: Type.String({ format: 'date-time', description: 'Of the token.' }),
  },
  strict,
);

export const ProgressBody = Type.Object(
  {
    stage: Type.Union([Type.Literal('installed'), Type.Literal('verified')]),
    clients: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\w .:/@-]*$' }), {
        maxItems: 20,
        description: 'Clients that the server was added to; those told before stay.',
      }),
    ),
    skill_installed: Type.Optional(Type.Boolean()),
  },
  strict,
);
export type ProgressBody = Static<typeof ProgressBody>;

export const AttemptParams = Type.Object({ attempt_id: Type.String() });
export type AttemptParams = Static<typeof AttemptParams>;

export const AttemptRecord = Type.Object(
  {
    attempt_id: Type.String(),
    status: Type.Union([Type.Literal('waiting'), Type.Literal('connected'), Type.Literal('complete')], {
      description:
        '`connected` once the code was exchanged; `complete` with clients, skill, the stage `verified` and a first call.',
    }),
    installed_at: maybeTime('When `installed` was told first.'),
    verified_at: maybeTime('When `verified` was told first.'),
    first_call_at: maybeTime('When a fetch of this attempt first gave a value.'),
    clients: Type.Array(Type.String()),
    skill_installed: Type.Boolean(),
    first_call: Type.Union(
      [Type.Object({ fields: Type.Array(Type.String()), source_urls: Type.Array(Type.String()) }, strict), Type.Null()],
      { description: 'What it asked and where the values came from; never the values.' },
    ),
    expires_at: Type.String({ format: 'date-time', description: 'Of the connect code.' }),
  },
  strict,
);
export type AttemptRecord = Static<typeof AttemptRecord>;
