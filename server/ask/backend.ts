import type { Confidence } from '../../datasets/dataset.ts';
import type { Lack } from '../../query/enrich/availability.ts';
import type { Limit } from './reading/limit.ts';
import type { OfSource } from './reading/provenance.ts';

/** Most fields that one question may plan (a limit of the interface). */
export const MAX_PLANNED = 15;

/** The parts of a fetch record that answers use. */
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

/** Where a value stands among those of the parcels of an area. */
export interface Standing {
  /** Of these parcels, those with a smaller value and those with a greater one: at least so large. */
  readonly share: number;
  readonly above: number;
  readonly of: 'county' | 'state' | 'release';
  /** FIPS code of the county, letters of the state; null for the release. */
  readonly place: string | null;
  /** Parcels with a value. */
  readonly count: number;
  readonly citation: { readonly source: string; readonly source_url: string; readonly release: string };
  /** The same in words, as the end of a sentence that begins with the value: "steeper than 84 percent of …". */
  readonly text: string;
}

/** A record that an answer may cite, with the title and meaning of its field. */
export interface Evidence {
  readonly field: string;
  readonly title: string;
  readonly description: string;
  /** What the value means for a decision. */
  readonly hint: string;
  readonly record: AskRecord;
  /** For a site: what the field says about the whole polygon, in sentences. */
  readonly area: readonly string[];
  /** For a site: the point where the record is answered. */
  readonly at?: string;
  /** Where its value stands among the parcels of the county. */
  readonly standing?: Standing;
  /** For a site: what is asked of the whole polygon, where the record has no value of its own. */
  readonly over?: { readonly value: unknown; readonly unit: string | null };
}

/** What a question asks beyond one place as it is today, and its words for that. */
export interface Beyond {
  readonly kind: 'set' | 'map' | 'place' | 'time' | 'opinion';
  readonly written: string;
}

/** A part of a question and the fields that answer it, best first. */
export interface Part {
  readonly text: string;
  /** Empty when the catalog has no answer to it. */
  readonly fields: readonly string[];
  /** Words of it that no field is about. When fields answer it, they are listed only if they are a large part of it. */
  readonly unknown: readonly string[];
  /** The kind of value it asks for, in words, when there are fields about it but none gives such a value. */
  readonly lacking?: string;
  /** Fields of enrichment only that would answer it, or answer it better. */
  readonly enrichment: readonly string[];
  /** Why it is not answered, or not by all fields that are about it: a sentence of the answer. */
  readonly refused?: string;
  /** The last of its fields, where none of those planned has a value: it may stand for them. */
  readonly standIn?: string;
  /** What its value is held against. */
  readonly limit?: Limit;
  /** What of it cannot be answered, in words, and whether the release lacks it or a copy in it. */
  readonly lacks?: readonly { readonly subject: string; readonly of: Lack['of'] }[];
  /** What it asks of the data behind its fields. */
  readonly ofSource?: readonly OfSource[];
  /** What of it goes beyond one place as it is today. */
  readonly beyond?: Beyond;
}

/** The fields to fetch for a question. */
export interface Plan {
  /** Catalog names, at most 15. */
  readonly fields: readonly string[];
  /** The preset that was expanded; null for none. */
  readonly preset: string | null;
  readonly parts: readonly Part[];
}

/** One sentence of an answer and the fields that it cites. */
export interface Sentence {
  readonly text: string;
  readonly fields: readonly string[];
}

/** Why a sentence is not supported by the records that it cites. */
export interface Unsupported {
  /** What in it was not found. */
  readonly what: string;
  readonly kind:
    | 'citation'
    | 'quotation'
    | 'address'
    | 'date'
    | 'number'
    | 'code'
    | 'name'
    | 'polarity'
    | 'comparison'
    | 'direction'
    | 'class';
}

/** A sentence, with what a check found where it was checked already. */
export interface Written extends Sentence {
  /** Null for a supported sentence. */
  readonly fault?: Unsupported | null;
}

/** The input of the writer. */
export interface Task {
  readonly question: string;
  readonly plan: Plan;
  /** By field, in the order of the plan. */
  readonly evidence: readonly Evidence[];
  /** The subject of the records, such as a place or a site of 12 acres. */
  readonly about: string;
  /** Name of the place, or its coordinates, as the answer says it. */
  readonly place?: string;
}

/** Tokens that a model used. */
export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

/** @returns the usage of a question before any model has read it. */
export const noTokens = (): Usage => ({
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});

/** The limits of a stage of the pipeline. */
export interface Stage {
  /** Aborts when the client has gone or the stage took too long. */
  readonly signal: AbortSignal;
  /** Fields that this release cannot answer, so that a plan prefers others. */
  readonly lacking?: readonly string[];
  /** Of the account that asks. */
  readonly account?: string | undefined;
  /** The code that asks a model adds its tokens here. */
  readonly usage: Usage;
}

/** Plans and writes: the program itself, or a language model. */
export interface Backend {
  readonly name: 'embedded' | 'anthropic' | 'openai';
  /** @throws ServiceError of the ask family. */
  plan(question: string, stage: Stage): Promise<Plan>;
  /**
   * Writes an answer, sentence by sentence.
   * @throws ServiceError of the ask family.
   */
  write(task: Task, stage: Stage): AsyncIterable<Written>;
}
