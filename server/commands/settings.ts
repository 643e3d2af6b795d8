import type { Command } from '../../query/engine/command.ts';
import type { Setting } from '../../query/engine/setting/setting.ts';
import { readSettings, SETTINGS, type Settings } from '../../query/engine/settings.ts';

/** The flag of a setting, which the command line gives to every command: `PLAT_STATE_URL` → `--state-url`. */
const flagOf = (setting: Setting<unknown>) =>
  `--${setting.variable
    .replace(/^PLAT_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;

const shown = (value: unknown) => (value === '' ? '(empty)' : String(value));

/** The text of docs/settings.md. */
export function renderSettings(): string {
  const rows = (Object.values(SETTINGS) as readonly Setting<unknown>[]).map(setting =>
    [`\`${setting.variable}\``, `\`${flagOf(setting)}\``, shown(setting.fallback), setting.meaning]
      .map(cell => ` ${cell.replaceAll('|', '\\|')} `)
      .join('|'),
  );
  return `# Settings

<!-- Generated from query/engine/settings.ts by \`make docs\`; do not edit. -->

Settings are environment variables; every command of \`plat\` takes each as a flag too, and the flag wins. \`plat settings\` prints what is in force. Give secrets by the environment, because other users of the machine can see a command line; those not given are made once and kept in \`PLAT_HOME/secrets\`, readable by the owner only.

| Variable | Flag | Default | Meaning |
|---|---|---|---|
${rows.map(row => `|${row}|`).join('\n')}
`;
}

/** `plat settings`. */
export const settingsCommand: Command = {
  name: 'settings',
  example: 'plat settings --markdown',
  summary: 'Print every setting with its value in force and its meaning',
  options: [
    { flags: '--markdown', description: 'Print docs/settings.md instead: defaults and meanings, no values in force.' },
  ],
  async run(_args, options, terminal) {
    if (options.markdown === true) {
      terminal.out(renderSettings().trimEnd());
      return 0;
    }
    const settings = readSettings(process.env);
    const rows = (Object.entries(SETTINGS) as [keyof Settings, Setting<unknown>][]).map(([name, setting]) => ({
      variable: setting.variable,
      flag: flagOf(setting),
      // A secret's presence is a fact of the installation, its value is not.
      value: setting.secret ? (settings[name] ? '(given)' : null) : settings[name],
      fallback: setting.fallback,
      meaning: setting.meaning,
    }));
    if (terminal.json) terminal.out(JSON.stringify(rows));
    else
      for (const row of rows) {
        terminal.out(`${row.variable}=${shown(row.value ?? row.fallback)}  ${row.flag}`);
        terminal.out(`    ${row.meaning} Default: ${shown(row.fallback)}.`);
      }
    return 0;
  },
};
