import type { Formula } from '../../../datasets/grammar/formula.ts';
import { quotedText } from './condition-sql.ts';

/** A formula as SQL; what has no value makes it null. */
export function formulaSql(
  formula: Formula,
  inputs: ReadonlyMap<string, string>,
  numeric: ReadonlyMap<string, boolean>,
): string {
  const number = (one: Formula) =>
    one.kind === 'input' ? `num(${inputs.get(one.name)})` : formulaSql(one, inputs, numeric);
  switch (formula.kind) {
    case 'number':
      return `${formula.value}::float8`;
    case 'string':
      return quotedText(formula.value);
    case 'input':
      return numeric.get(formula.name) ? `num(${inputs.get(formula.name)})` : inputs.get(formula.name)!;
    case 'binary': {
      const right = number(formula.right);
      return `(${number(formula.left)} ${formula.op} ${formula.op === '/' ? `nullif(${right}, 0)` : right})`;
    }
    case 'call': {
      if (formula.name === 'ln') return `ln(${number(formula.args[0]!)})`;
      const args = formula.args.map(one =>
        one.kind === 'input' ? inputs.get(one.name)! : formulaSql(one, inputs, numeric),
      );
      if (formula.name === 'left') return `left(${args[0]}, (${args[1]})::int)`;
      return `(${args.slice(1).join(` || ${args[0]} || `)})`;
    }
  }
}
