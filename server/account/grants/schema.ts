import { Type } from 'typebox';

const TIME = Type.String({ format: 'date-time' });

export const GrantListResponse = Type.Object(
  {
    grants: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          kind: Type.Enum(['mcp', 'device', 'token'], {
            description: 'An agent that signed in over OAuth, a program that was logged in, or an API token.',
          }),
          name: Type.Union([Type.String(), Type.Null()], { description: 'As it calls itself. Nobody has checked it.' }),
          scopes: Type.Array(Type.Enum(['read', 'spend', 'write'])),
          credits_a_day: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Null: it has no budget of its own.',
          }),
          created_at: TIME,
          last_used_at: Type.Union([TIME, Type.Null()], {
            description: 'Noted every ten seconds; null before the first use.',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'What may act for the account now, newest first.' },
    ),
  },
  { additionalProperties: false },
);

export const GrantParams = Type.Object({ id: Type.String({ description: 'Id of a grant.' }) });
