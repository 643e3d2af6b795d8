import { type TSchema, Type } from 'typebox';
import { quoteExport } from '../../exports/quote.ts';
import { ExportBody } from '../../exports/schema.ts';
import { listExports, readExport } from '../../exports/standing.ts';
import { submitExport } from '../../exports/submission.ts';
import { SEARCH_LIMIT_MS } from '../../search/operation.ts';
import { setServices } from '../../sets/area-source.ts';
import { withoutOperation } from '../body.ts';
import { toolCall } from '../refused-call.ts';
import { textOf } from '../text.ts';
import { type Form, form } from '../tool.ts';
import { listForm } from './list-form.ts';

/** Words of the operations about exports, and what they tell. */
export const EXPORT_WORDS = ['export', 'export_quote', 'exports'] as const;
export const EXPORTS_SAY = 'export (a file, made in the background; export_quote: its price; exports: those there are)';

/** Keys of their bodies that other operations of the tool lack. */
export const EXPORT_KEYS: Readonly<Record<string, TSchema>> = {
  search: Type.Unknown({ description: 'export: {filters}; or upload_id.' }),
  upload_id: Type.String(),
  format: Type.String({ description: 'geoparquet, flatgeobuf, arrow, geojsonseq, csv.' }),
  export_id: Type.String({ description: 'export: how it stands.' }),
};

const ReadExportBody = Type.Object({ export_id: Type.String() }, { additionalProperties: false });

/** The forms of the operations about exports, whose bodies are judged by their own schemas. @param schema of all operations of the tool. */
export const exportForms = (schema: TSchema): readonly Form[] => [
  listForm({ schema, operation: 'exports', route: 'GET /v1/exports' }, listExports),
  form({
    schema,
    judged: ReadExportBody,
    key: 'export_id',
    route: 'GET /v1/exports/{export_id}',
    limitMs: SEARCH_LIMIT_MS,
    async answer({ ctx }, body) {
      const { export_id: id } = body as { readonly export_id: string };
      const { status, progress, files, request, ...rest } = await readExport(ctx, id);
      const text = `${id} is ${status}: ${progress.done} of ${progress.total} rows; ${files.length} files.`;
      return { structured: { ...rest, export_id: id, status, progress, files, request }, text: textOf([text], 1) };
    },
  }),
  form({
    schema,
    judged: ExportBody,
    operation: 'export',
    route: 'POST /v1/exports',
    limitMs: SEARCH_LIMIT_MS,
    async answer({ ctx, services }, body) {
      const accepted = await submitExport(
        ctx,
        setServices(ctx, services),
        withoutOperation(body as object) as ExportBody,
      );
      const text = `${accepted.export_id} is queued; read it with its export_id.`;
      const { export_id } = accepted;
      return {
        beside: { next: toolCall('sets', { operation: 'export', export_id }) },
        structured: accepted,
        text: textOf([text], 1),
      };
    },
  }),
  form({
    schema,
    judged: ExportBody,
    operation: 'export_quote',
    route: 'POST /v1/exports/quote',
    limitMs: SEARCH_LIMIT_MS,
    async answer({ ctx, services }, body) {
      const quote = await quoteExport(ctx, setServices(ctx, services), withoutOperation(body as object) as ExportBody);
      const text = `${quote.locations} rows, ${quote.credits_total} credits at most.`;
      return { structured: quote, text: textOf([text, ...quote.notes], 1 + quote.notes.length) };
    },
  }),
];
