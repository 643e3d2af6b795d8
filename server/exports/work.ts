import type { SearchServices } from '../search/operation.ts';
import type { PlaceKind } from './place-row.ts';
import type { ExportBody } from './schema.ts';
import type { ExportFields } from './selection.ts';

/** What the job of an export does, as JSON that is stored with it. */
export interface ExportWork {
  readonly format: ExportBody['format'];
  readonly fields: ExportFields;
  /** The set, its areas made: none is looked up or driven for again. Or the upload. */
  readonly source:
    | {
        readonly of: 'search';
        readonly filters: unknown;
        readonly limits: Omit<SearchServices, 'cursors'>;
      }
    | { readonly of: 'upload'; readonly upload: string; readonly kind: PlaceKind; readonly parts: number };
}
