import type { TSchema } from 'typebox';
import { type Command, UsageError } from '../../query/engine/command.ts';
import type { Operation } from '../operation/operation.ts';
import { localCommand } from './local-command.ts';
import { OPERATIONS } from './registry.ts';

/** Checks a body as the endpoint does. @throws UsageError that says where it is wrong. */
async function requireShape(name: string, schema: TSchema, body: unknown): Promise<void> {
  const [{ requestValidator }, { shapeIssues }] = await Promise.all([
    import('../http/request-validator.ts'),
    import('../http/shape.ts'),
  ]);
  const valid = requestValidator({ schema });
  if (valid(body)) return;
  const issues = shapeIssues(valid.errors ?? [], body).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
  throw new UsageError(`${name}: ${issues.join('; ')}`);
}

/** `plat NAME` of an operation. */
const operationCommand = ({
  command: { name, summary },
  route,
  judge,
  body: schema,
  respond,
  sql,
}: Operation): Command =>
  localCommand({ name, summary: `${summary}: what ${route} answers.`, sql }, async (ctx, services, body) => {
    if (judge === 'schema') await requireShape(name, schema, body);
    const { json } = await respond(ctx, services, body);
    return json;
  });

/** `plat export`. */
const exportCommand = localCommand(
  {
    name: 'export',
    sql: 'setPart',
    summary:
      'Write every parcel of the current release that passes filters to a file: what POST /v1/exports makes of a search.',
    options: [
      { flags: '--out <folder>', description: 'Where the table and citations.json go; the current folder without it.' },
    ],
  },
  async (ctx, services, body, { out = '.' }) => {
    const { writeLocalExport } = await import('../exports/local-export.ts');
    return JSON.stringify(await writeLocalExport(ctx, services, body, String(out)));
  },
);

/** `plat NAME` of every operation that declares itself, and of exports. */
export const commands: readonly Command[] = [...OPERATIONS.map(operationCommand), exportCommand];
