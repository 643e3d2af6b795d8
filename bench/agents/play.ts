import { countTokens } from 'gpt-tokenizer';
import type { McpClient } from '../../test/server/mcp/mcp-clients.ts';
import { Knowledge } from './provenance.ts';
import type { AgentTask, Answer } from './task.ts';

/** Limits of a task. */
export const MOST_CALLS = 6;
export const MOST_TASK_TOKENS = 20_000;
const DEFAULT_TOKENS = 8_000;

/** The cost of a task, and the faults in how it was done. */
export interface Played {
  readonly answer: unknown;
  readonly calls: number;
  /** Of arguments and of both forms of all answers. */
  readonly tokens: number;
  readonly bytes: number;
  readonly faults: readonly string[];
}

/** Plays a task as an agent does. @param tools the list that the client got. */
export async function playTask({ text, play }: AgentTask, client: McpClient, tools: unknown): Promise<Played> {
  const knowledge = new Knowledge(text, tools);
  const faults: string[] = [];
  let [calls, tokens, bytes] = [0, 0, 0];
  const call = async (tool: string, req: object, beside: { readonly max_tokens?: number } = {}): Promise<Answer> => {
    calls++;
    for (const unknown of knowledge.unknownIn({ req, ...beside })) faults.push(`${tool}: nothing told ${unknown}`);
    const { structuredContent, content } = await client.call(`service_${tool}`, req, { beside });
    const parts = [JSON.stringify(structuredContent), content[0]!.text];
    const own = parts.reduce((sum, part) => sum + countTokens(part), 0);
    if (own > (beside.max_tokens ?? DEFAULT_TOKENS)) faults.push(`${tool}: an answer of ${own} tokens`);
    tokens += own + countTokens(JSON.stringify({ req, ...beside }));
    bytes += parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    knowledge.learn(structuredContent);
    return structuredContent;
  };
  const answer = await play(call);
  if (calls > MOST_CALLS) faults.push(`${calls} calls`);
  if (tokens > MOST_TASK_TOKENS) faults.push(`${tokens} tokens`);
  return { answer, calls, tokens, bytes, faults };
}
