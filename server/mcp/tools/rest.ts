import { Type } from 'typebox';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { readRest } from '../view/rest.ts';

const LIMIT_MS = 10_000;
const RestBody = Type.Object({ answer_id: Type.String({ maxLength: 64 }) }, { additionalProperties: false });

/** What was cut off the answer of another tool. */
export const restTool: Tool = {
  name: 'rest',
  title: 'The rest of an answer',
  remark: 'the rest of an answer that was cut',
  description: () => 'What next of an answer that was cut leads to. Kept for an hour. Free.',
  when: null,
  readOnly: true,
  isCited: true,
  forms: [
    form({
      schema: RestBody,
      route: null,
      limitMs: LIMIT_MS,
      async answer({ ctx }, { answer_id: id }) {
        return { structured: Buffer.from(await readRest(ctx, id)), isRest: true, text: shortText([]) };
      },
    }),
  ],
};
