import type { Catalog } from '../../../datasets/catalog.ts';
import type { Backend } from '../backend.ts';
import { planQuestion } from '../plan/planner.ts';
import { writtenFrom } from '../write/writer.ts';

/** Plans by words and writes from records, without any model. */
export function embeddedBackend(catalog: Catalog): Backend {
  return {
    name: 'embedded',
    plan: async question => planQuestion(catalog, question),
    async *write(task) {
      yield* writtenFrom(task);
    },
  };
}
