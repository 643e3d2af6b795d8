import { writeFileSync } from 'node:fs';
import { renderSettings } from '../server/commands/settings.ts';
import { renderErrors } from '../server/errors.ts';

/** Documents that are written from a registry; a test compares each with what is committed. */
const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'errors.md': renderErrors,
  'settings.md': renderSettings,
};

for (const [name, render] of Object.entries(DOCUMENTS)) writeFileSync(new URL(name, import.meta.url), render());
