import type { Language } from '../../language/language.ts';
import type { Backend } from '../backend.ts';
import { PLAN, WRITE } from '../works.ts';

/** Plans by words and writes from records, without any model. */
export function embeddedBackend(language: Language): Backend {
  return {
    name: 'embedded',
    plan: (question, stage) => language.have(PLAN, { question, lacking: stage.lacking ?? [] }, stage),
    async *write(task, stage) {
      yield* await language.have(WRITE, task, stage);
    },
  };
}
