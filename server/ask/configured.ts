import type { Catalog } from '../../datasets/catalog.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { createGate } from '../geocoder/gate.ts';
import type { Backend } from './backend.ts';
import { embeddedBackend } from './embedded/backend.ts';
import { type ModelLog, modelBackend } from './model/backend.ts';
import type { AskServices } from './operation.ts';
import { rankEnrichment, rankFields } from './retrieval/retrieval.ts';

/** @throws RangeError where a language model is set without what it takes. */
async function backendOf(settings: Settings, catalog: Catalog, log: ModelLog): Promise<Backend> {
  const { askModel, askUrl: url, askKey: key, askModelName: model } = settings;
  if (askModel === 'embedded') return embeddedBackend(catalog);
  const missing = [
    ...(model === '' ? ['PLAT_ASK_MODEL_NAME'] : []),
    // A server of one's own may want no key; the providers do.
    ...(key === '' && (askModel === 'anthropic' || url === '') ? ['PLAT_ASK_KEY'] : []),
  ];
  if (missing.length > 0) throw new RangeError(`PLAT_ASK_MODEL=${askModel}: expected ${missing.join(' and ')} too`);
  const how = { url, key, model, log };
  // Loaded only where it is used: an SDK takes 30 MB.
  if (askModel === 'anthropic') {
    const { anthropicProtocol } = await import('./model/anthropic/protocol.ts');
    return modelBackend(catalog, anthropicProtocol(catalog, how), log);
  }
  const { openaiProtocol } = await import('./model/openai/protocol.ts');
  return modelBackend(catalog, openaiProtocol(catalog, how), log);
}

/**
 * What the settings say questions are answered with.
 * @throws RangeError where a language model is set without its name or key.
 */
export async function configuredAsk(settings: Settings, catalog: Catalog, log: ModelLog): Promise<AskServices> {
  // Made now, so that the first question waits for no index.
  rankFields(catalog, 'elevation', 1);
  rankEnrichment(catalog, 'elevation', 1);
  return { backend: await backendOf(settings, catalog, log), gate: createGate(settings.askConcurrency) };
}
