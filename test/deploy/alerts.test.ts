import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadCommands } from '../../plat.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { METRICS, type MetricKind } from '../../server/metrics/registry.ts';
import { root } from '../house/files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const file = join(root, 'docs/deploy/alerts.yaml');
const page = readFileSync(join(root, 'docs/alerts.md'), 'utf8');
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: readonly { readonly rules: readonly Rule[] }[] };
const rules = groups.flatMap(group => group.rules);

describe('alerts', () => {
  it('have a heading each on the page that says what to do, and it has no other', () => {
    const headings = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook_url).toMatch(new RegExp(`/alerts\\.md#${alert.toLowerCase()}$`));
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  it('are answered by commands that there are', async () => {
    const commands = await loadCommands();
    const lines = [...page.matchAll(/`plat ([^`]+)`/g)].map(([, line]) => line!);
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const command = commands.find(({ name }) => line === name || line.startsWith(`${name} `));
      const flags = command?.options.map(each => each.flags.split(' ')[0]);
      for (const [flag] of line.matchAll(/--[a-z-]+/g)) expect(flags, line).toContain(flag);
      expect(command, line).toBeDefined();
    }
  });

  it('ask for metrics that there are, by labels that they have', () => {
    const metrics: Readonly<Record<string, MetricKind>> = METRICS;
    const everywhere = ['instance', 'job'];
    for (const { alert, expr, annotations } of rules) {
      const names = [...expr.matchAll(/\bplat_\w+/g)].map(([name]) => name);
      expect(
        names.filter(name => !Object.hasOwn(metrics, name)),
        alert,
      ).toEqual([]);
      const own = names.flatMap(name => [...(metrics[name]!.labels ?? [])]);
      const used = [
        ...[...expr.matchAll(/[{,](\w+)=/g)].map(([, label]) => label!),
        ...[...expr.matchAll(/by \((\w+)\)/g)].map(([, label]) => label!),
        ...[...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!),
      ];
      expect(
        used.filter(label => ![...own, ...everywhere].includes(label)),
        alert,
      ).toEqual([]);
    }
  });

  it('let a process have what its settings let it take', () => {
    const { expr } = rules.find(({ alert }) => alert === 'PlatMemory')!;
    expect(Number(expr.split('> ')[1])).toBeGreaterThan((readSettings({}).memory + 500) * 1024 * 1024);
  });
});

describe('rules', { tags: ['promtool'] }, () => {
  it('are what Prometheus reads', () => {
    expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${rules.length} rules found`,
    );
  });

  it('fire when they should and not before', () => {
    const test = join(root, 'test/deploy/alerts-promtool.yaml');
    expect(execFileSync('promtool', ['test', 'rules', test], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});
