import type { Ground } from './ground.ts';

// biome-ignore lint/suspicious/noExplicitAny: what an answer is, is what the tasks find out
export type Answer = any;

/** Calls a tool without its prefix. @returns the structured part of its answer, also of a refusal. */
export type CallTool = (tool: string, req: object, beside?: { readonly max_tokens?: number }) => Promise<Answer>;

/**
 * A task as somebody's agent would get it, as a graph of calls: the harness checks that each argument comes from the text of the task,
 * from the list of tools, or from an earlier answer.
 */
export interface AgentTask {
  readonly name: string;
  /** The words that the agent is given: all that it knows beside the tools. */
  readonly text: string;
  /** Plays the calls. @returns what the agent would answer. */
  readonly play: (call: CallTool) => Promise<unknown>;
  /** The right answer, found without the service. */
  readonly truth: (ground: Ground) => unknown;
}

/** The name in a catalog's answer that a model would choose: the first that the words fit. @throws Error where there is none. */
export function named(catalog: Answer, words: RegExp): string {
  const found = catalog.fields.find((field: { name: string }) => words.test(field.name));
  if (!found) throw new Error(`the catalog has no ${words} among ${catalog.fields.map((field: Answer) => field.name)}`);
  return found.name;
}
