import { ASK_LIMIT_MS, openQuestion } from '../../ask/operation.ts';
import { AskBody } from '../../ask/schema.ts';
import { creditsOf } from '../../credits/price.ts';
import { answerLines, saidAnswer } from '../answer-lines.ts';
import { placeLine, shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** POST /v1/ask. Pieces of the answer are sent as progress. */
export const askTool: Tool = {
  name: 'ask',
  title: 'A question about a place',
  remark: 'reports the answer as progress while it is written',
  description: () =>
    `Answers a question in plain language about one place from cited records, planning the fields itself. ${creditsOf('POST /v1/ask')} credits. Where you know the fields, service_fetch is cheaper and exact. Tells the answer as progress while it is written.`,
  when: 'Where the words are all you have: {tool}.',
  readOnly: true,
  forms: [
    form({
      schema: AskBody,
      route: 'POST /v1/ask',
      limitMs: ASK_LIMIT_MS,
      async answer({ ctx, services, progress }, body) {
        const question = await openQuestion(ctx, services.ask, { include_trace: true, ...body });
        let pieces = 0;
        const result = await question.answer(text => progress.tell(++pieces, undefined, text));
        return { ...saidAnswer(result, body), text: shortText([...answerLines(result), placeLine(result)]) };
      },
    }),
  ],
};
