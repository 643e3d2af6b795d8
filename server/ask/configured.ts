import type { Catalog } from '../../datasets/catalog.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { createGate } from '../geocode/gate.ts';
import { embeddedBackend } from './embedded/backend.ts';
import type { AskServices } from './operation.ts';
import { rankEnrichment, rankFields } from './retrieval/retrieval.ts';

/** What the settings say questions are answered with. */
export function configuredAsk(settings: Settings, catalog: Catalog): AskServices {
  // Made now, so that the first question waits for no index.
  rankFields(catalog, 'elevation', 1);
  rankEnrichment(catalog, 'elevation', 1);
  return { backend: embeddedBackend(catalog), gate: createGate(settings.askConcurrency) };
}
