import type { Catalog } from '../../datasets/catalog.ts';
import type { Settings } from '../../query/engine/settings.ts';
import type { Language } from '../language/language.ts';
import { accountGate } from '../lease/gate.ts';
import type { Backend } from './backend.ts';
import { embeddedBackend } from './embedded/backend.ts';
import { type ModelLog, modelBackend } from './model/backend.ts';
import type { AskServices } from './operation.ts';

/** Makes the backend. @throws RangeError when a language model is set without what it needs. */
async function backendOf(settings: Settings, catalog: Catalog, language: Language, log: ModelLog): Promise<Backend> {
  const { askModel, askUrl: url, askKey: key, askModelName: model } = settings;
  if (askModel === 'embedded') return embeddedBackend(language);
  const missing = [
    ...(model === '' ? ['PLAT_ASK_MODEL_NAME'] : []),
    // A server of one's own may need no key; the providers need one.
    ...(key === '' && (askModel === 'anthropic' || url === '') ? ['PLAT_ASK_KEY'] : []),
  ];
  if (missing.length > 0) throw new RangeError(`PLAT_ASK_MODEL=${askModel}: expected ${missing.join(' and ')} too`);
  const how = { url, key, model, log };
  // Loaded only when it is used, because an SDK takes 30 MB.
  if (askModel === 'anthropic') {
    const { anthropicProtocol } = await import('./model/anthropic/protocol.ts');
    return modelBackend(catalog, anthropicProtocol(catalog, how), log);
  }
  const { openaiProtocol } = await import('./model/openai/protocol.ts');
  return modelBackend(catalog, openaiProtocol(catalog, how), log);
}

/**
 * Makes the services that answer questions, from the settings.
 * @throws RangeError when a language model is set without its name or key.
 */
export async function configuredAsk(
  settings: Settings,
  catalog: Catalog,
  language: Language,
  log: ModelLog,
): Promise<AskServices> {
  return { backend: await backendOf(settings, catalog, language, log), gate: accountGate(settings.askConcurrency) };
}
