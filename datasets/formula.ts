import { tokenize } from './token.ts';

/** The arithmetic of `derived(expr[...])`. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'binary'; readonly op: '+' | '-' | '*' | '/'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: 'ln' | 'left' | 'join'; readonly args: readonly Formula[] };

const FUNCTIONS = ['ln', 'left', 'join'];

/**
 * Parses a formula: numbers, strings, input names, `+ - * /`, parentheses, `ln(x)`, `left(s, n)`, `join(sep, …)`.
 * @throws SyntaxError naming the text and where it stops making sense.
 */
export function parseFormula(text: string): Formula {
  const tokens = tokenize(text);
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`Formula "${text}": unexpected "${tokens[at]?.text ?? 'end'}"`);
  };
  const expect = (punctuation: string) => {
    if (tokens[at]?.text !== punctuation) fail();
    at++;
  };
  const atom = (): Formula => {
    const token = tokens[at] ?? fail();
    at++;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'string') return { kind: 'string', value: token.text };
    if (token.text === '(') {
      const inner = sum();
      expect(')');
      return inner;
    }
    if (token.kind !== 'name') {
      at--;
      return fail();
    }
    if (tokens[at]?.text !== '(') return { kind: 'input', name: token.text };
    if (!FUNCTIONS.includes(token.text)) fail();
    at++;
    const args = [sum()];
    while (tokens[at]?.text === ',') {
      at++;
      args.push(sum());
    }
    expect(')');
    return { kind: 'call', name: token.text as 'ln', args };
  };
  const chain = (ops: string[], next: () => Formula): Formula => {
    let left = next();
    while (tokens[at]?.kind === 'punctuation' && ops.includes(tokens[at]!.text)) {
      const op = tokens[at++]!.text as '+';
      left = { kind: 'binary', op, left, right: next() };
    }
    return left;
  };
  const product = () => chain(['*', '/'], atom);
  const sum = (): Formula => chain(['+', '-'], product);
  const formula = sum();
  if (at < tokens.length) fail();
  return formula;
}

/** Names of the inputs a formula reads, each once. */
export function inputsOf(formula: Formula): string[] {
  switch (formula.kind) {
    case 'input':
      return [formula.name];
    case 'binary':
      return [...new Set([...inputsOf(formula.left), ...inputsOf(formula.right)])];
    case 'call':
      return [...new Set(formula.args.flatMap(inputsOf))];
    default:
      return [];
  }
}
