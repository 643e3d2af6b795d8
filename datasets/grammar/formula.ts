import { tokenize } from './token.ts';

/** The arithmetic of `derived(expr[...])`. */
export type Formula =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'input'; readonly name: string }
  | { readonly kind: 'binary'; readonly op: '+' | '-' | '*' | '/'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'call'; readonly name: 'ln' | 'left' | 'join'; readonly args: readonly Formula[] };

/** Least and most arguments of each function. The first argument of join is the separator. */
const FUNCTIONS = new Map([
  ['ln', [1, 1]],
  ['left', [2, 2]],
  ['join', [2, Infinity]],
] as const);

/**
 * Parses a formula: numbers, strings, input names, `+ - * /`, parentheses, `ln(x)`, `left(s, n)`, `join(sep, …)`.
 * @throws SyntaxError that names the text and the first token that does not fit.
 */
export function parseFormula(text: string): Formula {
  const tokens = tokenize(text);
  let at = 0;
  const fail = (): never => {
    throw new SyntaxError(`Formula "${text}": unexpected "${tokens[at]?.text ?? 'end'}"`);
  };
  const isMark = (mark: string) => tokens[at]?.kind === 'punctuation' && tokens[at]!.text === mark;
  const expect = (mark: string) => {
    if (!isMark(mark)) fail();
    at++;
  };
  const atom = (): Formula => {
    const token = tokens[at] ?? fail();
    at++;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'string') return { kind: 'string', value: token.text };
    if (token.kind === 'punctuation' && token.text === '(') {
      const inner = sum();
      expect(')');
      return inner;
    }
    if (token.kind !== 'name') {
      at--;
      return fail();
    }
    if (!isMark('(')) return { kind: 'input', name: token.text };
    const arity = FUNCTIONS.get(token.text as 'ln');
    if (!arity) {
      at--;
      return fail();
    }
    at++;
    const args = [sum()];
    while (isMark(',')) {
      at++;
      args.push(sum());
    }
    expect(')');
    if (args.length < arity[0] || args.length > arity[1])
      throw new SyntaxError(`Formula "${text}": ${token.text} does not take ${args.length} arguments`);
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
