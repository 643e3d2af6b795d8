import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Catalog } from '../../../../datasets/catalog.ts';
import { ServiceError } from '../../../errors/registry.ts';
import { tracedFetch } from '../../../trace/traceparent.ts';
import type { Evidence, Usage } from '../../backend.ts';
import { apiFailure, incomplete, malformed } from '../failure.ts';
import { PLAN_TOOL, PLAN_TOOL_DESCRIPTION, PlanInput } from '../plan-tool.ts';
import { planningPrompt, planningText, questionText, recordText, writingPrompt } from '../prompts.ts';
import type { ModelProtocol, Piece } from '../protocol.ts';
import { MAX_TOKENS, type ModelSettings, REQUEST_LIMIT_MS, sdkLogger } from '../settings.ts';
import { citedPieces } from './markers.ts';

const CITING =
  'End every sentence with the numbers of the records that it rests on in square brackets, before the full stop, such as [2] or [1, 3].';

/** Adds the tokens of a request. Local servers may not report them. */
function count(usage: Usage, taken: OpenAI.CompletionUsage | null | undefined): void {
  const cached = taken?.prompt_tokens_details?.cached_tokens ?? 0;
  usage.input_tokens += (taken?.prompt_tokens ?? 0) - cached;
  usage.output_tokens += taken?.completion_tokens ?? 0;
  usage.cache_read_input_tokens += cached;
}

/** @throws ServiceError when a completion did not end as it should. */
function judge(reason: string | null | undefined): void {
  if (reason === 'content_filter') throw new ServiceError('ask_question_refused');
  if (reason === 'length' || !reason) throw incomplete();
}

/** The words of a streamed completion, as they arrive. */
async function* wordsOf(chunks: AsyncIterable<ChatCompletionChunk>, usage: Usage): AsyncGenerator<string> {
  let reason: string | null | undefined;
  let started = false;
  for await (const chunk of chunks) {
    if (chunk?.usage) count(usage, chunk.usage);
    // The last chunk holds the usage and no choice.
    if (!Array.isArray(chunk?.choices)) throw malformed();
    const [choice] = chunk.choices;
    if (!choice) continue;
    started = true;
    if (choice.delta?.refusal) throw new ServiceError('ask_question_refused');
    if (choice.delta?.content) yield choice.delta.content;
    reason = choice.finish_reason ?? reason;
  }
  if (!started) throw malformed();
  judge(reason);
}

/** The arguments of a tool call; some servers send them as text. */
function argumentsOf(text: string | null | undefined): unknown {
  const json = /\{[\s\S]*\}/.exec(text ?? '')?.[0];
  if (json === undefined) throw malformed();
  return JSON.parse(json);
}

/**
 * The chat completions protocol, by the official SDK, for OpenAI and all servers that use this protocol, such as local
 * ones. It has no citations, so records are numbered and sentences name the numbers (markers.ts).
 */
export function openaiProtocol(catalog: Catalog, settings: ModelSettings): ModelProtocol {
  const client = new OpenAI({
    // Local servers need no key, but the SDK does.
    apiKey: settings.key === '' ? 'none' : settings.key,
    organization: null,
    project: null,
    ...(settings.url === '' ? {} : { baseURL: settings.url }),
    maxRetries: 0,
    timeout: REQUEST_LIMIT_MS,
    fetch: tracedFetch,
    logger: sdkLogger(settings.log),
  });
  const planning = planningPrompt(catalog);
  const { model } = settings;
  // Other servers know only the older name, which OpenAI's newer models refuse.
  const limit = settings.url === '' ? { max_completion_tokens: MAX_TOKENS } : { max_tokens: MAX_TOKENS };
  const numbered = (evidence: readonly Evidence[]) =>
    evidence.map((one, i) => `<record number="${i + 1}">\n${recordText(one)}\n</record>`).join('\n');
  return {
    name: 'openai',
    async plan(question, { signal, usage, lacking }) {
      const completion = await client.chat.completions.create(
        {
          model,
          ...limit,
          messages: [
            { role: 'system', content: planning },
            { role: 'user', content: planningText(question, lacking) },
          ],
          tools: [
            {
              type: 'function',
              function: { name: PLAN_TOOL, description: PLAN_TOOL_DESCRIPTION, parameters: { ...PlanInput } },
            },
          ],
          tool_choice: { type: 'function', function: { name: PLAN_TOOL } },
        },
        { signal },
      );
      count(usage, completion?.usage);
      const choice = completion?.choices?.[0];
      if (!choice) throw malformed();
      if (choice.message?.refusal) throw new ServiceError('ask_question_refused');
      judge(choice.finish_reason);
      const call = choice.message?.tool_calls?.find(one => one.type === 'function');
      return argumentsOf(call?.function.arguments ?? choice.message?.content);
    },
    async *write(task, { signal, usage }): AsyncGenerator<Piece> {
      const chunks = await client.chat.completions.create(
        {
          model,
          ...limit,
          messages: [
            { role: 'system', content: writingPrompt(CITING) },
            { role: 'user', content: `${numbered(task.evidence)}\n\n${questionText(task)}` },
          ],
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal },
      );
      yield* citedPieces(wordsOf(chunks, usage), task.evidence);
    },
    failureOf(error) {
      if (error instanceof APIConnectionError) return { kind: 'unreachable', status: null, retryAfter: null };
      return error instanceof APIError
        ? apiFailure({ status: error.status, headers: error.headers, type: error.type ?? null })
        : null;
    },
  };
}
