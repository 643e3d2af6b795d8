import { languageWork } from '../../language/language.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { KeptBody } from '../schema.ts';
import type { Found } from './confirmation.ts';
import type { Judgement } from './judgement.ts';

/** From a request to what the catalog says about each value that it asks for. */
export const JUDGE = languageWork<KeptBody, readonly Judgement[]>('judge');

/** The judgements of a request, with what each field that one names is at the example locations; null for the others. */
interface Read {
  readonly body: KeptBody;
  readonly judgements: readonly Judgement[];
  readonly found: readonly (Found | null)[];
}

/** From what was read to what becomes of each value. */
export const CONCLUDE = languageWork<Read, readonly Disposition[]>('conclude');
