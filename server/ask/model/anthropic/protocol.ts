import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { Message, RawMessageStreamEvent, Usage as SdkUsage } from '@anthropic-ai/sdk/resources/messages';
import type { Catalog } from '../../../../datasets/catalog.ts';
import { ServiceError } from '../../../errors/registry.ts';
import { tracedFetch } from '../../../trace/traceparent.ts';
import type { Evidence, Usage } from '../../backend.ts';
import { apiFailure, incomplete, malformed } from '../failure.ts';
import { PLAN_TOOL, PLAN_TOOL_DESCRIPTION, PlanInput } from '../plan-tool.ts';
import { planningPrompt, planningText, questionText, recordText, writingPrompt } from '../prompts.ts';
import type { ModelProtocol, Piece } from '../protocol.ts';
import { MAX_TOKENS, type ModelSettings, REQUEST_LIMIT_MS, sdkLogger } from '../settings.ts';

const CITING = 'Use citations: every sentence cites the documents that it rests on.';

type Counted = Partial<Record<keyof Usage, number | null>>;

/** Adds the tokens of a request. */
function count(usage: Usage, taken: Counted | SdkUsage): void {
  for (const key of Object.keys(usage) as (keyof Usage)[]) usage[key] += taken[key] ?? 0;
}

/** @throws ServiceError when a message did not end as it should. */
function judge(reason: Message['stop_reason'] | undefined): void {
  if (reason === 'refusal') throw new ServiceError('ask_question_refused');
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded' || !reason) throw incomplete();
}

/** The pieces of a streamed message: one for each text block, with the documents that it cites. */
async function* piecesOf(
  events: AsyncIterable<RawMessageStreamEvent>,
  evidence: readonly Evidence[],
  usage: Usage,
): AsyncGenerator<Piece> {
  let text = '';
  const cited = new Set<string>();
  let reason: Message['stop_reason'] | undefined;
  let output: Counted = {};
  let started = false;
  for await (const event of events)
    switch (event.type) {
      case 'message_start':
        started = true;
        // Output tokens are counted at the end.
        count(usage, { ...event.message?.usage, output_tokens: 0 });
        break;
      case 'content_block_delta':
        if (event.delta?.type === 'text_delta') text += event.delta.text;
        else if (event.delta?.type === 'citations_delta' && 'document_index' in (event.delta.citation ?? {})) {
          const { document_index } = event.delta.citation as { document_index: number };
          const field = evidence[document_index]?.field;
          if (field) cited.add(field);
        } else if (!event.delta?.type) throw malformed();
        break;
      case 'content_block_stop':
        if (text !== '') yield { text, fields: [...cited] };
        text = '';
        cited.clear();
        break;
      case 'message_delta':
        reason = event.delta?.stop_reason ?? reason;
        output = { output_tokens: event.usage?.output_tokens };
        break;
      case 'message_stop':
        count(usage, output);
        judge(reason);
        return;
    }
  // A stream without any content is not an answer.
  throw started ? incomplete() : malformed();
}

/** The Messages protocol, by its official SDK: the planner uses a tool, the writer gets each record as a document. */
export function anthropicProtocol(catalog: Catalog, settings: ModelSettings): ModelProtocol {
  const client = new Anthropic({
    apiKey: settings.key,
    authToken: null,
    ...(settings.url === '' ? {} : { baseURL: settings.url }),
    // The backend does the retries: the SDK would repeat a stream that was cut after its first words.
    maxRetries: 0,
    timeout: REQUEST_LIMIT_MS,
    fetch: tracedFetch,
    logger: sdkLogger(settings.log),
  });
  const planning = planningPrompt(catalog);
  const { model } = settings;
  return {
    name: 'anthropic',
    async plan(question, { signal, usage, lacking }) {
      const message = await client.messages.create(
        {
          model,
          max_tokens: MAX_TOKENS,
          // Tools and system prompt come before the question, so that the catalog is read once and then cached.
          system: [{ type: 'text', text: planning, cache_control: { type: 'ephemeral' } }],
          tools: [{ name: PLAN_TOOL, description: PLAN_TOOL_DESCRIPTION, input_schema: { ...PlanInput } }],
          tool_choice: { type: 'tool', name: PLAN_TOOL, disable_parallel_tool_use: true },
          messages: [{ role: 'user', content: planningText(question, lacking) }],
        },
        { signal },
      );
      if (message?.usage) count(usage, message.usage);
      judge(message?.stop_reason);
      const call = message.content?.find(block => block.type === 'tool_use');
      if (!call) throw malformed();
      return call.input;
    },
    async *write(task, { signal, usage }) {
      const { evidence } = task;
      const documents = evidence.map(one => ({
        type: 'document' as const,
        title: one.title,
        source: { type: 'text' as const, media_type: 'text/plain' as const, data: recordText(one) },
        citations: { enabled: true },
      }));
      const events = await client.messages.create(
        {
          model,
          max_tokens: MAX_TOKENS,
          system: writingPrompt(CITING),
          messages: [{ role: 'user', content: [...documents, { type: 'text', text: questionText(task) }] }],
          stream: true,
        },
        { signal },
      );
      yield* piecesOf(events, evidence, usage);
    },
    failureOf(error) {
      if (error instanceof APIConnectionError) return { kind: 'unreachable', status: null, retryAfter: null };
      return error instanceof APIError ? apiFailure(error) : null;
    },
  };
}
