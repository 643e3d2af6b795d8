import type { Value } from '../../../../datasets/dataset.ts';
import type { Formula } from '../../../../datasets/grammar/formula.ts';

/** The value of a formula, by plain recursion. */
export function compute(formula: Formula, inputs: Readonly<Record<string, Value>>): Value {
  switch (formula.kind) {
    case 'number':
    case 'string':
      return formula.value;
    case 'input':
      return inputs[formula.name]!;
    case 'binary': {
      const [a, b] = [formula.left, formula.right].map(side => Number(compute(side, inputs))) as [number, number];
      return formula.op === '+' ? a + b : formula.op === '-' ? a - b : formula.op === '*' ? a * b : a / b;
    }
    case 'call': {
      const args = formula.args.map(arg => compute(arg, inputs));
      if (formula.name === 'ln') return Math.log(Number(args[0]));
      if (formula.name === 'left') return String(args[0]).slice(0, Number(args[1]));
      return args.slice(1).join(String(args[0]));
    }
  }
}
