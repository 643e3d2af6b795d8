import { languageWork } from '../language/language.ts';
import type { FoundNames, NameQuery } from './name-search.ts';

/** From everyday words to names of the catalog. */
export const SEARCH = languageWork<NameQuery, FoundNames>('search');
