import type { ServerResponse } from 'node:http';
import type { Publisher } from './publisher.ts';

/** A row of Esri JSON. */
export interface EsriRow {
  readonly attributes: Readonly<Record<string, unknown>> | null;
  readonly geometry?: { readonly [key: string]: unknown } | null;
}

/** A layer of a map server, by what it can do. By default it does what servers of version 10.2 do. */
export interface MapServer {
  readonly rows: readonly EsriRow[];
  /** Column that conditions name the ids by, and the id of each row. */
  readonly field: string;
  readonly ids: readonly number[];
  readonly description?: Readonly<Record<string, unknown>>;
  readonly spatialReference?: object;
  /** Rows that it sends at once, and whether it says that there are more. */
  readonly limit?: number;
  readonly isSilentAboutLimit?: boolean;
  /** `ignored` sends rows instead, as very old servers do. */
  readonly answersIds?: 'named' | 'unnamed' | 'floats' | 'refused' | 'ignored';
  readonly counts?: 'counted' | 'refused' | 'ignored';
  readonly statistics?: 'computed' | 'by SQL' | 'refused' | 'ignored';
  readonly offsets?: 'taken' | 'refused' | 'ignored';
  readonly orders?: boolean;
  /** Ids of rows that end every answer which holds them: in an error page, in half an answer, in an error of 200. */
  readonly failing?: ReadonlyMap<number, 'page' | 'half' | 'error'>;
  /** What becomes of the text of an answer. @param asked its question. */
  readonly written?: (text: string, asked: URLSearchParams) => string;
  readonly token?: string;
  readonly edited?: number;
}

const REFUSAL = { error: { code: 400, message: 'Unable to complete operation.', details: [] } };

/** Whether an id meets a condition of the forms that the reader asks by. */
function meets(id: number, where: string, field: string): boolean {
  const name = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [, below, above] = new RegExp(`${name} < (-?\\d+) OR ${name} > (-?\\d+)`).exec(where) ?? [];
  if (below !== undefined) return id < Number(below) || id > Number(above);
  for (const [, operator, number] of where.matchAll(new RegExp(`${name} (>=|<=|=) (-?\\d+)`, 'g'))) {
    const value = Number(number);
    if (operator === '=' ? id !== value : operator === '>=' ? id < value : id > value) return false;
  }
  return !where.includes('1=0');
}

function liesIn({ geometry }: EsriRow, envelope: string | null): boolean {
  if (envelope === null) return true;
  const [west, south, east, north] = envelope.split(',').map(Number);
  const { x, y } = (geometry ?? {}) as { x?: number; y?: number };
  return x !== undefined && x >= west! && x <= east! && y! >= south! && y! <= north!;
}

/** Serves a layer at a path. */
export function mapServer(publisher: Publisher, path: string, layer: MapServer): void {
  const {
    rows,
    field,
    ids,
    description = {},
    spatialReference = { wkid: 4326 },
    limit = 1000,
    isSilentAboutLimit = false,
    answersIds = 'named',
    counts = 'counted',
    statistics = 'refused',
    offsets = 'refused',
    orders = false,
    failing = new Map(),
    written = text => text,
    token,
    edited = 1,
  } = layer;
  const say = (response: ServerResponse, value: unknown) => void response.end(JSON.stringify(value));
  const guarded =
    (work: (response: ServerResponse, asked: URLSearchParams) => void) =>
    (_: unknown, response: ServerResponse, { searchParams }: URL) => {
      if (token !== undefined && searchParams.get('token') !== token)
        return say(response, { error: { code: 499, message: 'Token Required', details: [] } });
      return work(response, searchParams);
    };
  publisher.handlers.set(
    path,
    guarded(response =>
      say(response, {
        currentVersion: 10.2,
        type: 'Feature Layer',
        name: 'Parcels',
        fields: [{ name: field, type: 'esriFieldTypeOID' }],
        maxRecordCount: limit,
        supportedQueryFormats: 'JSON, AMF',
        editingInfo: { lastEditDate: edited },
        ...description,
      }),
    ),
  );
  publisher.handlers.set(
    `${path}/query`,
    guarded((response, asked) => {
      if (asked.get('f') !== 'json') return say(response, REFUSAL);
      const all = rows
        .map((row, i) => ({ row, id: ids[i]! }))
        .filter(({ row, id }) => meets(id, asked.get('where') ?? '', field) && liesIn(row, asked.get('geometry')));
      const flag = (name: string) => asked.get(name) === 'true';
      if (flag('returnCountOnly') && counts !== 'ignored')
        return say(response, counts === 'counted' ? { count: all.length } : REFUSAL);
      if (flag('returnIdsOnly') && answersIds !== 'ignored') {
        if (answersIds === 'refused') return say(response, REFUSAL);
        const named = answersIds === 'unnamed' ? {} : { objectIdFieldName: field };
        const objectIds = all.map(({ id }) => (answersIds === 'floats' ? `${id}.0` : String(id)));
        return void response.end(
          JSON.stringify({ ...named, objectIds: [] }).replace('[]', `[${objectIds.reverse().join(',')}]`),
        );
      }
      if (asked.has('outStatistics') && statistics !== 'ignored') {
        if (statistics === 'refused') return say(response, REFUSAL);
        const names =
          statistics === 'by SQL' ? [`MIN(${field}) AS THE_MIN`, `MAX(${field}) AS THE_MAX`] : ['THE_MIN', 'THE_MAX'];
        const values = [Math.min(...ids), Math.max(...ids)];
        return say(response, {
          features: [{ attributes: Object.fromEntries(names.map((name, i) => [name, values[i]])) }],
        });
      }
      if (asked.has('orderByFields') && !orders) return say(response, REFUSAL);
      if (asked.has('resultOffset') && offsets === 'refused') return say(response, REFUSAL);
      const isOffset = asked.has('resultOffset') && offsets === 'taken';
      const first = isOffset ? Number(asked.get('resultOffset')) : 0;
      const size = isOffset ? Math.min(limit, Number(asked.get('resultRecordCount'))) : limit;
      const page = all.slice(first, first + size);
      const text = JSON.stringify({
        displayFieldName: '',
        geometryType: 'esriGeometryPoint',
        spatialReference,
        features: page.map(({ row }) => row),
        ...(all.length > first + size && !isSilentAboutLimit ? { exceededTransferLimit: true } : {}),
      });
      const fault = page.map(({ id }) => failing.get(id)).find(kind => kind !== undefined);
      if (fault === 'page') return void response.writeHead(500).end('<html>Server Error</html>');
      if (fault === 'half') return void response.end(text.slice(0, text.length >> 1));
      if (fault === 'error')
        return say(response, { error: { code: 500, message: 'Error performing query operation' } });
      return void response.end(written(text, asked));
    }),
  );
}
