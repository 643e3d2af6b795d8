import { ASK_LIMIT_MS } from '../../ask/operation.ts';
import { askSite } from '../../ask/site/operation.ts';
import { AskSiteBody } from '../../ask/site/schema.ts';
import { creditsOf } from '../../credits/price.ts';
import { answerLines, saidAnswer } from '../answer-lines.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** POST /v1/ask-site. */
export const askSiteTool: Tool = {
  name: 'ask_site',
  title: 'A question about a registered site',
  description: () =>
    `Answers a question about a site of service_sites from what was found when it was screened, over the whole polygon. ${creditsOf('POST /v1/ask-site')} credits.`,
  when: 'A question about such a site: {tool}.',
  readOnly: true,
  forms: [
    form({
      schema: AskSiteBody,
      route: 'POST /v1/ask-site',
      limitMs: ASK_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const result = await askSite(ctx, services.ask, { include_trace: true, ...body });
        return { ...saidAnswer(result, body), text: shortText(answerLines(result)) };
      },
    }),
  ],
};
