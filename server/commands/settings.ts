import type { Command, Option } from '../../query/command.ts';
import { UsageError } from '../../query/command.ts';
import { readSettings, SETTINGS, type Setting, type Settings } from '../../query/settings.ts';

const all = Object.values(SETTINGS) as readonly Setting<unknown>[];

/** The flag of a setting: `PLAT_STATE_URL` → `--state-url`. */
const flagOf = (setting: Setting<unknown>) =>
  `--${setting.variable
    .replace(/^PLAT_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

/** commander's name of a flag's value: `--state-url` → `stateUrl`. */
const keyOf = (flag: string) => flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Flags of settings, for a command that reads them. Secrets have none: a command line is visible to every user.
 * @param variables only these; all by default.
 */
export function settingOptions(variables?: readonly string[]): Option[] {
  return all
    .filter(setting => !setting.secret && (variables?.includes(setting.variable) ?? true))
    .map(setting => ({ flags: `${flagOf(setting)} <value>`, description: `${setting.variable}: ${setting.meaning}` }));
}

/**
 * Settings of the environment, overridden by the flags of a command.
 * @throws UsageError naming the variable, its value and what was expected.
 */
export function commandSettings(options: Readonly<Record<string, string | boolean | undefined>>): Settings {
  const flags: Record<string, string> = {};
  for (const setting of all) {
    const value = setting.secret ? undefined : options[keyOf(flagOf(setting))];
    if (typeof value === 'string') flags[setting.variable] = value;
  }
  try {
    return readSettings({ ...process.env, ...flags });
  } catch (error) {
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

/** The text of docs/settings.md. */
export function renderSettings(): string {
  const rows = all.map(setting => {
    const flag = setting.secret ? '' : `\`${flagOf(setting)}\``;
    const fallback = setting.fallback === '' ? '(empty)' : setting.fallback;
    return `| \`${setting.variable}\` | ${flag} | ${fallback.replaceAll('|', '\\|')} | ${setting.meaning.replaceAll('|', '\\|')} |`;
  });
  return `# Settings

<!-- Generated from query/settings.ts by \`make docs\`; do not edit. -->

Settings are environment variables; \`plat serve\` takes each as a flag too, and the flag wins. \`plat settings\` prints what is in force. Secrets have no flag, because a command line is visible to other users of the machine; the ones not given are made once and kept in \`PLAT_HOME/secrets\`, readable by the owner only.

| Variable | Flag | Default | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** `plat settings`. */
export const settingsCommand: Command = {
  name: 'settings',
  summary: 'Print every setting with its value in force and its meaning',
  options: [
    ...settingOptions(),
    { flags: '--markdown', description: 'Print docs/settings.md instead: defaults and meanings, no values in force.' },
  ],
  async run(_args, options, terminal) {
    if (options.markdown === true) {
      terminal.out(renderSettings().trimEnd());
      return 0;
    }
    const settings = commandSettings(options);
    const rows = (Object.entries(SETTINGS) as [keyof Settings, Setting<unknown>][]).map(([name, setting]) => ({
      variable: setting.variable,
      flag: setting.secret ? null : flagOf(setting),
      // A secret's presence is a fact of the installation, its value is not.
      value: setting.secret ? (settings[name] === null ? null : '(given)') : settings[name],
      fallback: setting.fallback,
      meaning: setting.meaning,
    }));
    if (terminal.json) terminal.out(JSON.stringify(rows));
    else
      for (const row of rows) {
        const value = row.value === null ? row.fallback : row.value === '' ? '(empty)' : row.value;
        terminal.out(`${row.variable}=${value}${row.flag ? `  ${row.flag}` : ''}`);
        terminal.out(`    ${row.meaning} Default: ${row.fallback === '' ? '(empty)' : row.fallback}.`);
      }
    return 0;
  },
};
