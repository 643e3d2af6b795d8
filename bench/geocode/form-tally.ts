import { Random } from '../../pipelines/world/random.ts';
import type { AddressMatch } from '../../query/geocode/match.ts';
import type { Layers } from '../../query/release/layers.ts';
import { FORMS, type Form, keyOf } from './form.ts';
import { type FormVerdict, judgeForm } from './form-judge.ts';
import { streetsOf, type TruePlace, type Truth, truthsOf } from './truth.ts';

/** Counts of how the addresses of a place were answered in one form. */
export interface FormTally {
  readonly place: string;
  readonly form: Form;
  readonly count: number;
  readonly of: Readonly<Record<FormVerdict, number>>;
  /** Questions with an answer of another place, and that answer. */
  readonly wrong: readonly string[];
  /** Milliseconds of processor time of each question. */
  readonly times: readonly number[];
}

/** A place's addresses in an order drawn by seed. */
function drawn(all: readonly Truth[], random: Random): Truth[] {
  const keys = new Map(all.map(truth => [truth, random.integer(0, 1e9)]));
  return [...all].sort((a, b) => keys.get(a)! - keys.get(b)!);
}

/**
 * Asks addresses of a place in every form and judges the answers by its files.
 * @param most addresses of each form.
 */
export async function tallyForms(
  layers: Layers,
  place: TruePlace,
  ask: (address: string) => Promise<readonly AddressMatch[]>,
  most: number,
  forms: readonly Form[] = FORMS,
): Promise<FormTally[]> {
  const all = await truthsOf(layers, place);
  const known = { streets: await streetsOf(layers, place), addresses: Map.groupBy(all, keyOf) };
  const tallies: FormTally[] = [];
  for (const form of forms) {
    const random = new Random(60, 1);
    const of = { right: 0, street: 0, several: 0, refused: 0, wrong: 0 };
    const wrong: string[] = [];
    const times: number[] = [];
    for (const truth of drawn(all, random)) {
      const question = times.length < most ? form.write(truth, place, known, random) : null;
      if (!question) continue;
      const cpu = process.cpuUsage();
      const matches = await ask(question.text);
      const { user, system } = process.cpuUsage(cpu);
      times.push((user + system) / 1000);
      const verdict = judgeForm(question, matches);
      of[verdict]++;
      if (verdict === 'wrong') wrong.push(`${question.text} -> ${matches[0]!.normalizedAddress}`);
    }
    if (times.length) tallies.push({ place: place.name, form, count: times.length, of, wrong, times });
  }
  return tallies;
}
