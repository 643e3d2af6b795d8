import { languageWork } from '../language/language.ts';
import type { Evidence, Plan, Sentence, Task, Unsupported, Written } from './backend.ts';
import type { FollowUp, FollowUpTask } from './follow-ups.ts';
import type { Reading } from './reading/reading.ts';

/** From a question to what of it goes beyond one place as it is today. */
export const READ = languageWork<string, Reading>('read-question');

/** From a question, and the fields that the release cannot answer, to the fields to fetch for it. */
export const PLAN = languageWork<{ readonly question: string; readonly lacking: readonly string[] }, Plan>('plan');

/** From a question about a site, and its dossier as JSON, to what is to be written and, where it is traced, what may follow. */
export const PLAN_SITE = languageWork<
  { readonly question: string; readonly dossier: string; readonly traced: boolean },
  { readonly task: Task; readonly followUps: readonly string[] }
>('plan-site');

/** From a question to those that may follow it. */
export const FOLLOW = languageWork<FollowUpTask, readonly FollowUp[]>('follow-ups');

/** From records to an answer from them alone, checked. */
export const WRITE = languageWork<Task, readonly Written[]>('write');

/** From a sentence to why the records that it cites do not support it; null for a supported one. */
export const CHECK = languageWork<
  { readonly sentence: Sentence; readonly evidence: readonly Evidence[] },
  Unsupported | null
>('check');
