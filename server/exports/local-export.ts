import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../errors/registry.ts';
import { nameFacts } from '../formats/format-threads.ts';
import { requestValidator } from '../http/request-validator.ts';
import { ShapeError, shapeIssues } from '../http/shape.ts';
import type { AreaCtx, SetServices } from '../sets/area-source.ts';
import { NO_COUNTS } from '../state/exports/records.ts';
import { citationsOfColumns } from './citations.ts';
import { type ExportPlace, parcelPart } from './part-maker.ts';
import { ExportBody } from './schema.ts';
import { exportFields } from './selection.ts';
import { columnsOf, judgeSearch } from './submission.ts';
import { writeExport } from './writers/write-export.ts';

/** A body of POST /v1/exports with a search. @throws ServiceError invalid_request, ShapeError. */
function searchOf(given: unknown): ExportBody {
  const valid = requestValidator({ schema: ExportBody });
  if (!valid(given)) throw new ShapeError(shapeIssues(valid.errors ?? [], given));
  const body = given as ExportBody;
  if (body.search && body.upload_id === undefined) return body;
  const first = 'Expected `search`: uploads are those of a server';
  const errors = [{ loc: ['body'], msg: first, type: 'value_error' }];
  throw new ServiceError('invalid_request', { count: '1 fault', first }, { errors });
}

/**
 * `plat export`: writes the files of an export of parcels, without a server.
 * @param out folder, made where it is not there.
 * @throws ServiceError as POST /v1/exports, but for credits; ShapeError.
 */
export async function writeLocalExport(ctx: AreaCtx, services: SetServices, given: unknown, out: string) {
  const body = searchOf(given);
  const fields = exportFields(ctx.catalog, await columnsOf(ctx, body), body);
  const { source, warnings: told } = await judgeSearch(ctx, services, body);
  await mkdir(out, { recursive: true });
  const folder = await mkdtemp(join(out, '.export-'));
  try {
    let [place, counts]: [ExportPlace | null, typeof NO_COUNTS] = [null, NO_COUNTS];
    const warnings = new Set(told);
    for (let number = 0; !place?.ended; number++) {
      const part = await parcelPart(ctx, { format: body.format, fields }, source, place, counts);
      [place, counts] = [part.place, part.counts];
      for (const warning of part.warnings) warnings.add(warning);
      await writeFile(join(folder, `part-${String(number).padStart(6, '0')}`), part.bytes);
    }
    const writing = {
      folder,
      format: body.format,
      of: 'matches' as const,
      addresses: false,
      fields: fields.names,
      about: { release: ctx.release.source, created_at: new Date().toISOString(), counts, warnings: [...warnings] },
      ...citationsOfColumns(ctx.engine, fields.columns),
    };
    const files = await writeExport(writing, nameFacts(ctx.catalog));
    for (const { name } of files) await rename(join(folder, name), join(out, name));
    return { counts, warnings: [...warnings], files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
