import { Type } from 'typebox';
import type { VerdictRule } from '../../datasets/verdict.ts';

const Classes = Type.Array(Type.Union([Type.String(), Type.Number()]));
/** The verdict rule of a field, as callers read it. */
export const VerdictMeta = Type.Union(
  [
    Type.Object(
      {
        yes: Type.Union(
          [
            Type.Literal(true),
            Type.Literal('any'),
            Classes,
            Type.Object({ except: Type.Array(Type.String()) }, { additionalProperties: false }),
            Type.Object({ from: Type.Number() }, { additionalProperties: false }),
            Type.Object({ under: Type.Number() }, { additionalProperties: false }),
          ],
          {
            description:
              'Values that are a yes: `true`; `"any"` text; these classes; all but some; numbers from a limit on; numbers under one. All others are a no.',
          },
        ),
        open: Type.Optional({
          ...Classes,
          description: 'Values that leave it open, such as a zone that nobody has studied.',
        }),
        margin: Type.Optional(
          Type.Number({ description: 'Numbers so near the limit are on the line, in the unit of the field.' }),
        ),
        matter: Type.String({
          description: 'What is decided, as it follows "whether". Fields with the same matter decide the same.',
        }),
        words: Type.Object(
          { yes: Type.String(), no: Type.String() },
          {
            description: 'Sentences that answer, without a full stop; `{value}` stands for the value with its unit.',
            additionalProperties: false,
          },
        ),
        settled_by: Type.String({
          description: 'What would settle it, as in "… would be needed to settle it".',
        }),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  {
    description:
      'How its value decides a matter, as answers in words and the explorer judge; null for a field that decides none. Whatever the value, a mapped line nearer than the source is accurate puts it on the line: `notes` of the record says so.',
  },
);

/** A rule of the catalog as callers read it: null for a field that decides nothing. */
export function verdictTold(rule: VerdictRule | undefined) {
  if (rule === undefined) return null;
  const { settledBy, spanish: _, ...told } = rule;
  return { ...told, settled_by: settledBy };
}
