import { languageWork } from '../../language/language.ts';
import type { Disposition } from '../../state/field-requests/disposition.ts';
import type { KeptBody } from '../schema.ts';
import type { Found } from './confirmation.ts';
import type { Meant } from './exclusions.ts';
import type { Judgement } from './judgement.ts';
import type { SubAsk } from './sub-asks.ts';
import type { Verdict } from './verdict.ts';

/** From a request to the values that it asks for, and the parts of its description that it does not want. */
export const READ_ASKS = languageWork<
  KeptBody,
  { readonly asks: readonly SubAsk[]; readonly unwanted: readonly string[] }
>('read-asks');

/** From names and descriptions, a few at once, to the fields that they mean. */
export const MEANT = languageWork<readonly string[], ReadonlySet<string>>('meant');

/** From one value that a request asks for to what the catalog says about it. */
export const JUDGE = languageWork<{ readonly one: SubAsk; readonly body: KeptBody; readonly meant: Meant }, Verdict>(
  'judge',
);

/** The judgements of a request, with what each field that one names is at the example locations; null for the others. */
interface Read {
  readonly body: KeptBody;
  readonly judgements: readonly Judgement[];
  readonly found: readonly (Found | null)[];
}

/** From what was read to what becomes of each value. */
export const CONCLUDE = languageWork<Read, readonly Disposition[]>('conclude');
