import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../../datasets/catalog.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { judgeClaim } from '../screening/claim.ts';
import type { Build } from './build.ts';
import { digestOf, EVALUATION, type Evaluation } from './scaffold.ts';
import { StepRefused } from './steps.ts';

const LIMIT_MS = 20_000;

/** A field's answer at an example location, and whether it passes. */
export interface EvaluatedAnswer {
  readonly field: string;
  readonly index: number;
  readonly value: unknown;
  readonly unit: string | null;
  readonly claimed: string | null;
  readonly verdict: 'agrees' | 'differs' | 'unclaimed' | 'fails';
  /** Why it fails; null when it passes. */
  readonly why: string | null;
}

/** Reads the evaluation. @throws StepRefused when it is missing or was changed since it was frozen. */
function frozenEvaluation({ folder = '', frozen }: Build): Evaluation {
  const path = join(folder, EVALUATION);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new StepRefused(`The evaluation ${path} cannot be read: it is where the build was scaffolded`);
  }
  if (digestOf(text) !== frozen)
    throw new StepRefused(`The evaluation ${path} was changed since it was frozen: bring it back as it was`);
  return JSON.parse(text) as Evaluation;
}

/**
 * Reads the new fields at the example locations from the release of this home, and compares them with the claimed
 * values.
 * @throws StepRefused when the evaluation was changed, or the catalog lacks a field.
 */
export async function evaluate(engine: Engine, catalog: Catalog, build: Build): Promise<EvaluatedAnswer[]> {
  const { fields, examples } = frozenEvaluation(build);
  const missing = fields.filter(({ field }) => !catalog.fields.has(field)).map(({ field }) => field);
  if (missing.length > 0) throw new StepRefused(`The catalog of this build has no field ${missing.join(', ')}`);
  const findings: EvaluatedAnswer[] = [];
  for (const { index, lat, lng, claimed_value: claimed } of examples) {
    const names = fields.map(({ field }) => field);
    const answers = await engine.fetch(names, { lat, lng }, { deadline: Date.now() + LIMIT_MS });
    for (const field of names) {
      const { unit } = catalog.fields.get(field)!;
      const { status, value, notes, error, sourceUrl } = answers[field]!;
      const fails =
        status !== 'ok'
          ? `${status}: ${notes ?? error ?? 'without a reason'}`
          : value === null
            ? 'null'
            : sourceUrl === null
              ? 'without a citation'
              : null;
      const compared = fails === null && claimed !== null ? judgeClaim(claimed, value, unit) : 'unread';
      const verdict = fails !== null ? 'fails' : compared === 'unread' ? 'unclaimed' : compared;
      findings.push({ field, index, value, unit, claimed, verdict, why: fails });
    }
  }
  return findings;
}
