import type { Operation } from '../../operation/operation.ts';
import { chargedResponse } from '../../operations/charged.ts';
import { setServices } from '../../sets/area-source.ts';
import { textOf } from '../text.ts';
import type { Call, Form, Said } from '../tool.ts';

/** What forms take of an operation as it declares it. */
export const formTerms = ({
  route,
  scopes,
  limitMs,
  answerBytes,
}: Operation): Pick<Form, 'route' | 'scopes' | 'limitMs' | 'answerBytes'> => ({
  route,
  scopes,
  limitMs,
  ...(answerBytes ? { answerBytes } : {}),
});

/** What an operation answers, for the credits of a call, as a tool says it. @throws as chargedResponse. */
export async function operationAnswer(operation: Operation, { ctx, services }: Call, body: unknown): Promise<Said> {
  const { json, text } = await chargedResponse(operation, ctx, setServices(ctx, services), body);
  const { lines, count = lines.length } = text();
  return { structured: Buffer.from(json), text: textOf(lines, count) };
}
