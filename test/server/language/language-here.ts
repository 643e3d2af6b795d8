import type { Catalog } from '../../../datasets/catalog.ts';
import type { Language } from '../../../server/language/language.ts';
import { doWork } from '../../../server/language-thread/works.ts';

/** Plain language in the thread of the test. */
export const languageHere = (catalog: Catalog): Language => ({
  have: async ({ name }, input) => doWork(catalog, name, input) as never,
});
