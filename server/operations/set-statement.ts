import type { Catalog } from '../../datasets/catalog.ts';
import { UsageError } from '../../query/engine/command.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { questionsAbout } from '../../query/engine/set/set-questions.ts';
import type { Release } from '../../query/release/open-release.ts';
import type { SetRequest } from '../../query/sets/ground/set-ground.ts';
import { sqlColumnsOf } from '../../query/sets/sql/release-columns.ts';
import { NoSql, type SetStatement } from '../../query/sets/sql/set-query.ts';
import { type SqlTask, sqlOfSet } from '../../query/sets/sql/set-sql.ts';

/** Thrown instead of an answer: the question in SQL. */
export class StatementAnswer extends Error {
  override readonly name = 'StatementAnswer';
  readonly statement: SetStatement;

  constructor(statement: SetStatement) {
    super('the question was said in SQL');
    this.statement = statement;
  }
}

/**
 * An engine that says in SQL what it is asked about a set, instead of answering it. Areas and parcels that a question is about are looked
 * up.
 * @param open opens the release of a question. @param asked the task that the question is in the end: an export counts before it reads.
 */
export function statementEngine(
  engine: Engine,
  catalog: Catalog,
  open: (release: string) => Release,
  asked: SqlTask,
): Engine {
  const questions = questionsAbout(name => async (request, terms) => {
    if (name !== asked) return engine[name](request, terms);
    const { release } = terms;
    const id = release ?? engine.status().release;
    if (id === null) throw new UsageError('--explain: nothing was published yet');
    const names =
      id === engine.status().release
        ? engine.parcelColumns()
        : await engine.parcelColumnsOf(id, { deadline: Date.now() + 60_000 });
    try {
      throw new StatementAnswer(sqlOfSet(asked, request as SetRequest, sqlColumnsOf(open(id), catalog, names)));
    } catch (error) {
      if (error instanceof NoSql) throw new UsageError(`--explain: ${error.message}`);
      throw error;
    }
  });
  return { ...engine, ...questions };
}
