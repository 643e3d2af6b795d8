import { readFileSync } from 'node:fs';
import { projectFile } from '../site/page-file.ts';

/** An answer to the example of an operation, as it was given about the synthetic area. */
export interface RecordedAnswer {
  /** Names at its top, by which a test sees that the operation still answers so; of other texts than JSON none. */
  readonly keys: readonly string[];
  /** The answer as it is shown: shortened. */
  readonly text: string;
}

type Answers = Readonly<Record<string, RecordedAnswer>>;

function readAnswers(): Answers {
  const path = projectFile('docs/reference/answers.json');
  return path === null ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Answers);
}

let recorded: Answers | undefined;

/** The recorded answers by operation, read once; none where an installation lacks their file. */
export function recordedAnswers(): Answers {
  recorded ??= readAnswers();
  return recorded;
}
