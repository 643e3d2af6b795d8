import type { Setting } from '../query/engine/setting/setting.ts';
import { SETTINGS, type Settings } from '../query/engine/settings.ts';
import { SERVER } from './state/audit.ts';
import type { StateStore } from './state/store.ts';

/** The settings that are not the default. Of a secret it tells only that it was set. */
function changedSettings(settings: Settings): Record<string, unknown> {
  const entries = (Object.entries(SETTINGS) as [keyof Settings, Setting<unknown>][]).flatMap(([name, setting]) => {
    const value: unknown = settings[name];
    if (JSON.stringify(value) === JSON.stringify(setting.parse(undefined))) return [];
    return [[setting.variable, setting.secret ? '(given)' : value]];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Records the settings of a starting server, when they differ from those of the last one on this state store. */
export async function recordSettings({ audit }: StateStore, settings: Settings): Promise<void> {
  const action = 'settings_changed';
  const detail = changedSettings(settings);
  const [last] = await audit.entries({ action, limit: 1 });
  if (JSON.stringify(last?.detail ?? {}) === JSON.stringify(detail)) return;
  await audit.record({ at: Date.now(), actor: SERVER, action, accountId: null, subject: null, detail });
}
