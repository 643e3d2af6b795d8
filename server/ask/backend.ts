import type { Confidence } from '../../datasets/dataset.ts';

/** A fetch record, as far as answers are made of it. */
export interface AskRecord {
  /** Null unless ok. */
  readonly value: unknown;
  readonly unit: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly confidence: Confidence;
  readonly fetched_at: string;
  readonly dataset_vintage: string | null;
  readonly notes: string | null;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly error?: string;
  readonly retryable?: boolean;
}

/** A record that an answer may rest on, with what its field is and means. */
export interface Evidence {
  readonly field: string;
  readonly title: string;
  readonly description: string;
  /** What the value means to someone who must act on it. */
  readonly hint: string;
  readonly record: AskRecord;
  /** Of a site: what the field says of the whole polygon, in sentences. */
  readonly area: readonly string[];
  /** Of a site: where the record is answered. */
  readonly at?: string;
}

/** A part of a question, and the fields that answer it, best first. */
export interface Part {
  readonly text: string;
  /** Empty where the catalog answers nothing of it. */
  readonly fields: readonly string[];
  /** Words of it that no field is about; where fields answer it, only if they are a good deal of it. */
  readonly unknown: readonly string[];
  /** The kind of value that it asks for, in words, where fields are about it and none gives such a value. */
  readonly lacking?: string;
  /** Fields of enrichment alone that would answer it, or answer it better. */
  readonly enrichment: readonly string[];
}

/** What is to be fetched for a question. */
export interface Plan {
  /** Catalog names, at most 15. */
  readonly fields: readonly string[];
  /** The preset that was expanded. */
  readonly preset: string | null;
  readonly parts: readonly Part[];
}

/** One sentence of an answer and the fields that it rests on. */
export interface Sentence {
  readonly text: string;
  readonly fields: readonly string[];
}

/** What is written about. */
export interface Task {
  readonly question: string;
  readonly plan: Plan;
  /** By field, in the order of the plan. */
  readonly evidence: readonly Evidence[];
  /** What the records are about, such as a place or a site of 12 acres. */
  readonly about: string;
}

/** Tokens that a model took. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** @returns of a question that no model has read yet. */
export const noTokens = (): Usage => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});

/** Within which a stage of the pipeline works. */
export interface Stage {
  /** Aborts when the client has gone or the stage took too long. */
  readonly signal: AbortSignal;
  /** Added to by whoever asks a model. */
  readonly usage: Usage;
}

/** What plans and writes: the program itself, or a language model. */
export interface Backend {
  readonly name: 'embedded' | 'anthropic' | 'openai';
  /** @throws ServiceError of the ask family. */
  plan(question: string, stage: Stage): Promise<Plan>;
  /**
   * Writes an answer, sentence by sentence. Nobody has checked them yet.
   * @throws ServiceError of the ask family.
   */
  write(task: Task, stage: Stage): AsyncIterable<Sentence>;
}
