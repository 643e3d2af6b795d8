import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import type { Formula } from '../../../datasets/grammar/formula.ts';
import { fieldWords, layerWords } from '../../../datasets/layer-words.ts';
import { Fault } from '../../release/fault.ts';
import { after, inTurn } from '../../release/maybe-promise.ts';
import { spreadNotes, spreadThrough } from '../assurance/spread.ts';
import { largestPart } from '../condition/number.ts';
import { confidenceOf, lowest } from '../confidence.ts';
import type { Context, Operator, Question } from '../context.ts';
import { type Finding, failed } from '../finding.ts';
import { roundFraction } from '../published.ts';

/** The formula has no value for these inputs; becomes absent. */
class NoValue extends Error {}

type Inputs = Readonly<Record<string, Exclude<Value, null>>>;

function numberOf(value: string | number | boolean, of: string): number {
  const number = typeof value === 'string' ? largestPart(value) : Number(value);
  if (number === null || Number.isNaN(number)) throw new Fault(`${of} needs a number, got "${value}"`);
  return number;
}

/**
 * Evaluates the arithmetic of derived(expr[...]).
 * @throws NoValue on division by zero or the logarithm of what is not positive, Fault where text stands for a number.
 */
function evaluate(formula: Formula, inputs: Inputs): string | number | boolean {
  switch (formula.kind) {
    case 'number':
    case 'string':
      return formula.value;
    case 'input':
      return inputs[formula.name]!;
    case 'binary': {
      const left = numberOf(evaluate(formula.left, inputs), formula.op);
      const right = numberOf(evaluate(formula.right, inputs), formula.op);
      if (formula.op === '+') return left + right;
      if (formula.op === '-') return left - right;
      if (formula.op === '*') return left * right;
      if (right === 0) throw new NoValue('division by zero');
      return left / right;
    }
    case 'call': {
      const args = formula.args.map(arg => evaluate(arg, inputs));
      if (formula.name === 'join') return args.slice(1).map(String).join(String(args[0]));
      if (formula.name === 'left') return String(args[0]).slice(0, numberOf(args[1]!, 'left'));
      const x = numberOf(args[0]!, 'ln');
      if (!(x > 0)) throw new NoValue('logarithm of a number that is not positive');
      return Math.log(x);
    }
  }
}

/** What lists were merged to last, by the first of them: neighboring points have the same ones. */
const before = new WeakMap<readonly unknown[], { lists: readonly (readonly unknown[])[]; out: readonly unknown[] }>();

const merged = <T>(lists: readonly (readonly T[])[]): readonly T[] => {
  // Inputs of one source mostly share their lists, each of which says nothing twice.
  const [first] = lists;
  if (!first) return [];
  if (lists.every(list => list === first)) return first;
  const cached = before.get(first);
  if (cached?.lists.length === lists.length && lists.every((list, i) => list === cached.lists[i]))
    return cached.out as readonly T[];
  const items = new Map<string, T>();
  for (const item of lists.flat()) items.set(JSON.stringify(item), item);
  const out = [...items.values()];
  before.set(first, { lists, out });
  return out;
};

interface Input {
  /** What it is called in reasons. */
  readonly words: string;
  /** Whether it is a field, whose confidence counts for min_inputs. */
  readonly ruled: boolean;
  readonly finding: Finding;
}

/** What an input is called: a field by its title, a call by what it reads. */
function wordsOf({ catalog }: Pick<Context, 'catalog'>, input: Expression['inputs'][string]): string {
  if ('field' in input) return fieldWords(catalog.fields.get(input.field)!);
  const { sources, argument } = input;
  const [source] = sources;
  if (!source) return 'value';
  return argument === null ? layerWords(source) : `value of ${layerWords(source)} (${argument})`;
}

/** The value of a formula whose inputs are found. @throws Fault when text stands for a number. */
function combine(call: Expression, { rule, type, unit }: Question, inputs: readonly Input[]): Finding {
  const broken = inputs.filter(i => i.finding.status === 'failed');
  if (broken.length) {
    const error = broken.map(i => `${i.words}, from which it is calculated, failed: ${i.finding.error}`).join('; ');
    const fault = new Fault(
      error,
      broken.every(i => i.finding.retryable),
    );
    const [citations, notes] = [merged(broken.map(i => i.finding.citations)), merged(broken.map(i => i.finding.notes))];
    return { ...failed(fault), citations, notes };
  }
  const edges = inputs.flatMap(i => i.finding.atEdge ?? []);
  const ofInputs = { inputs: inputs.filter(i => i.ruled).map(i => i.finding.confidence) };
  // A nested call has no rule of its own, but may rest on generalised boundaries or lie beside an edge.
  const unruled = inputs.filter(i => !i.ruled).map(i => i.finding.confidence);
  const confidence = lowest([confidenceOf(rule, ofInputs), ...unruled, ...edges]);
  const atEdge = edges.length ? { atEdge: edges.includes('low') ? ('low' as const) : ('medium' as const) } : {};
  const citations = merged(inputs.map(i => i.finding.citations));
  const nothing = (notes: readonly string[]): Finding => ({
    status: 'absent',
    value: null,
    confidence,
    citations,
    notes,
    ...atEdge,
  });
  const missing = inputs.filter(i => i.finding.status === 'absent');
  if (missing.length) {
    // The first note of what is absent is its reason; what follows qualifies the source and is said once.
    const reasons = missing.map(i => `no ${i.words}, from which it is calculated: ${i.finding.notes[0] ?? 'absent'}`);
    return nothing([...reasons, ...merged(missing.map(i => i.finding.notes.slice(1)))]);
  }
  const values: Record<string, Exclude<Value, null>> = {};
  Object.keys(call.inputs).forEach((name, i) => {
    values[name] = inputs[i]!.finding.value!;
  });
  const notes = merged(inputs.map(i => i.finding.notes));
  try {
    let value = evaluate(call.formula!, values);
    if (typeof value === 'number' && !Number.isFinite(value)) return nothing(['the result is no finite number']);
    if (typeof value === 'number' && unit === 'fraction') value = roundFraction(value);
    if (type === 'string') value = String(value);
    const plain: Finding = { status: 'ok', value, confidence, citations, notes, ...atEdge };
    if (typeof value !== 'number') return plain;
    const named = Object.keys(call.inputs).map((name, i) => ({ name, ...inputs[i]!.finding }));
    const spread = spreadThrough(named, (name, other) => evaluate(call.formula!, { ...values, [name]: other }));
    if (spread === null) return plain;
    const sure = lowest([confidenceOf(rule, { ...ofInputs, spread, value }), ...unruled, ...edges]);
    return { ...plain, spread, confidence: sure, notes: [...spreadNotes({ rule, unit }, value, spread), ...notes] };
  } catch (error) {
    if (error instanceof NoValue) return nothing([error.message, ...notes]);
    throw error;
  }
}

/**
 * Arithmetic over other fields and calls: absent if any input is, failed if any input is; division by zero and the
 * logarithm of what is not positive are absent.
 *
 * Decided here:
 * - Text stands for a number where it reads as one (a multi-valued number as its largest part); other text fails.
 * - A field's unit `fraction` rounds the result to 4 decimals; nothing else is rounded.
 * - No result is surer than an input whose answer changes at an edge within twice the source's accuracy.
 * - `min_inputs` is the lowest confidence of the inputs that are fields; nested calls have none of their own. No value
 *   has a higher one than a nested call that rests on generalised boundaries.
 * - The standard errors of inputs (margins of surveys, the error of heights) go through the formula as the slope of each takes
 *   them. By the rules cv and sign the result is as sure as its own standard error makes it, and a note tells.
 * - Sources, vintages and notes are those of all inputs, each once.
 *
 * Cost: that of its inputs, each found once a request (or batch), whatever number of fields takes it.
 */
export const operator: Operator = {
  name: 'derived',
  point(ctx, call, question) {
    const inputs = inTurn(Object.values(call.inputs), input =>
      'field' in input
        ? after(ctx.field(input.field), (finding): Input => ({ words: wordsOf(ctx, input), ruled: true, finding }))
        : after(ctx.call(input), (finding): Input => ({ words: wordsOf(ctx, input), ruled: false, finding })),
    );
    return after(inputs, all => combine(call, question, all));
  },
  async bulk(batch, call, question) {
    const columns: { words: string; ruled: boolean; findings: readonly Finding[] }[] = [];
    for (const input of Object.values(call.inputs))
      columns.push(
        'field' in input
          ? { words: wordsOf(batch, input), ruled: true, findings: await batch.field(input.field) }
          : { words: wordsOf(batch, input), ruled: false, findings: await batch.call(input) },
      );
    const out: Finding[] = [];
    for (let i = 0; i < batch.contexts.length; i++) {
      // Neighbors in one area have the same findings, and then the same result.
      if (i > 0 && columns.every(({ findings }) => findings[i] === findings[i - 1])) {
        out.push(out[i - 1]!);
        continue;
      }
      try {
        out.push(
          combine(
            call,
            question,
            columns.map(({ words, ruled, findings }) => ({ words, ruled, finding: findings[i]! })),
          ),
        );
      } catch (error) {
        out.push(failed(error));
      }
    }
    return out;
  },
};
