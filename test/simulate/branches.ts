import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vite';
import { ROOT } from './planted.ts';

/** A branch of the code: from where it begins it is gone through, or not. */
interface Branch {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly isReached: boolean;
}

/** Counts what this process goes through. */
export async function countBranches(): Promise<(files: readonly string[]) => Promise<Branch[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async files => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return files.flatMap(file => {
      const script = result.find(({ url }) => url === pathToFileURL(join(ROOT, file)).href);
      if (!script) throw new Error(`${file} was not loaded`);
      const ranges = script.functions.flatMap(of => of.ranges);
      const text = readFileSync(join(ROOT, file), 'utf8');
      return branchesOf(parseAst(text, { lang: 'ts' }) as unknown as Node).map(({ start: at, end }) => {
        // The innermost range tells how often. Types are blanks of the same length.
        const inner = ranges
          .filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)
          .reduce((a, b) => (b.endOffset - b.startOffset <= a.endOffset - a.startOffset ? b : a));
        const line = text.slice(0, at).split('\n').length;
        return { file, line, text: text.slice(at, end).split('\n')[0]!, isReached: inner.count > 0 };
      });
    });
  };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Which members of a node are evaluated on one of several ways only. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  IfStatement: ['consequent', 'alternate'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['right'],
  SwitchCase: ['consequent'],
  CatchClause: ['body'],
  FunctionDeclaration: ['body'],
  FunctionExpression: ['body'],
  ArrowFunctionExpression: ['body'],
  AssignmentPattern: ['right'],
};

/** The nodes at which ways of the code begin. */
function branchesOf(node: Node): Node[] {
  const branches = (WAYS[node.type] ?? []).flatMap(name => node[name] as Node).filter(isNode);
  if (node.type === 'AssignmentExpression' && /^(?:\?\?|&&|\|\|)=$/.test(String(node.operator)))
    branches.push(node.right as Node);
  const parts = Object.values(node).flat().filter(isNode);
  return [...branches, ...parts.flatMap(branchesOf)];
}
