import { type Static, Type } from 'typebox';
import { ANSWER, type Answered, INCLUDE_TRACE, QUESTION, type Trace } from '../schema.ts';

export const AskSiteBody = Type.Object(
  { site_id: Type.String({ description: 'Of POST /v1/sites.' }), question: QUESTION, include_trace: INCLUDE_TRACE },
  {
    additionalProperties: false,
    examples: [{ site_id: 'site_0123456789abcdef0123456789abcdef', question: 'How much of the site is wetland?' }],
  },
);
export type AskSiteBody = Static<typeof AskSiteBody>;

export const AskSiteResponse = Type.Object(
  {
    site_id: Type.String(),
    question: Type.String(),
    answered_at: Type.String({ format: 'date-time' }),
    ...ANSWER,
    trace: Type.Optional(Type.Ref('AskTrace#')),
  },
  { additionalProperties: false },
);

/** The body of a 200. */
export interface AskSiteResult extends Answered {
  readonly site_id: string;
  readonly question: string;
  readonly answered_at: string;
  readonly trace?: Trace;
}
