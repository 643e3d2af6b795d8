import { type Static, Type } from 'typebox';

/** The allowance of an account this month. */
export const AllowanceProperties = {
  credits_included: Type.Integer({ description: 'Of the plan, a calendar month.' }),
  credits_used: Type.Integer({ description: 'With what running requests have reserved.' }),
  credits_remaining: Type.Integer({ description: 'Of the included ones.' }),
  self_imposed_limit: Type.Union([Type.Integer(), Type.Null()]),
  effective_limit: Type.Integer({ description: "The tighter of the plan's and the account's own limit." }),
  resets_at: Type.String({ description: 'The 1st of next month, 00:00 UTC.' }),
};

const SUMS = {
  requests: Type.Integer({ description: 'Those that cost something, and those that run.' }),
  credits: Type.Integer(),
};

export const UsageResponse = Type.Object(
  {
    plan: Type.String(),
    period: Type.String({ description: '`YYYY-MM`, UTC.' }),
    ...AllowanceProperties,
    by_endpoint: Type.Array(Type.Object({ endpoint: Type.String(), ...SUMS }, { additionalProperties: false }), {
      description: 'Adds up to `credits_used`.',
    }),
    by_token: Type.Array(
      Type.Object(
        {
          id: Type.Union([Type.String(), Type.Null()], {
            description:
              'As tokens and grants are listed; null for the console and other browser sessions, and for what was asked before tokens were told apart.',
          }),
          ...SUMS,
        },
        { additionalProperties: false },
      ),
      { description: 'By the token or the agent that asked, the most credits first. Adds up to `credits_used`.' },
    ),
    by_day: Type.Array(
      Type.Object(
        { date: Type.String({ description: '`YYYY-MM-DD`, UTC.' }), ...SUMS },
        { additionalProperties: false },
      ),
      { description: 'By the day on which a request came, days without any left out. Adds up to `credits_used`.' },
    ),
  },
  { additionalProperties: false },
);

const limit = Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), Type.Null()], {
  description:
    "Credits a month that the account allows itself; it tightens the plan's allowance and never widens it. 0 stops all that costs, null takes the limit off.",
});

export const SettingsBody = Type.Object({ monthly_credit_limit: limit }, { additionalProperties: false });
export type SettingsBody = Static<typeof SettingsBody>;

export const SignOutBody = Type.Object(
  {
    everywhere: Type.Optional(
      Type.Boolean({
        description:
          'Ends all sessions of the account and the grants of its agents too. API tokens and those of devices stay. Default false.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SignOutBody = Static<typeof SignOutBody>;

export const SettingsResponse = Type.Object(
  { settings: Type.Object({ monthly_credit_limit: limit }, { additionalProperties: false }) },
  { additionalProperties: false },
);
