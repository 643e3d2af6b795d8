import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import type { Located } from '../../../ingest/acquire/locate.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { type EsriRow, type MapServer, mapServer } from './map-server.ts';
import { type Handler, Publisher } from './publisher.ts';

/** Address of the layer, and of its queries, at the publisher. */
export const PATH = '/arcgis/rest/services/Parcels/MapServer/0';
export const QUERY = `${PATH}/query`;

type Response = Parameters<Handler>[1];

interface Collection {
  readonly crs?: { readonly properties: { readonly name: string } };
  readonly features: readonly { readonly geometry: unknown; readonly properties: Readonly<Record<string, unknown>> }[];
}

/** Answers with JSON. @returns true, for `before`. */
export const say = (response: Response, value: unknown): true => {
  response.end(JSON.stringify(value));
  return true;
};

export const placeOf = (i: number) => ({ x: -70 + (i % 37) / 100, y: 43 + i / 1000 });

/** A layer on a publisher of this machine, and downloads of it into a folder that each test begins empty. */
export class ServedLayer {
  readonly publisher = new Publisher();
  /** What the last download told, and the milliseconds that it waited. */
  readonly told: string[] = [];
  readonly waits: number[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'plat-layer-'));
  #sources = '';
  readonly #description: object;

  /** Call it at the top of a test file. @param description of each layer served. */
  constructor(description: object = {}) {
    this.#description = description;
    beforeAll(async () => void (await this.publisher.start()));
    beforeEach(() => {
      this.#sources = mkdtempSync(join(this.#folder, 's-'));
      this.publisher.handlers.clear();
      this.publisher.log.length = 0;
    });
    afterAll(async () => {
      await this.publisher.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  serve(rows: readonly EsriRow[], more: Partial<MapServer> = {}): void {
    const ids = more.ids ?? rows.map(({ attributes }) => Number(attributes!.OBJECTID));
    const description = { ...this.#description, ...more.description };
    mapServer(this.publisher, PATH, { rows, field: 'OBJECTID', ...more, ids, description });
  }

  /** Changes what is asked, or answers it before the layer does. @param work returns whether it answered. */
  before(work: (asked: URLSearchParams, response: Response) => boolean, path = QUERY): void {
    const well = this.publisher.handlers.get(path)!;
    this.publisher.handlers.set(path, (request, response, url) =>
      work(url.searchParams, response) ? undefined : well(request, response, url),
    );
  }

  /** Downloads the layer. */
  taking({ path = PATH, where = '', box = null as Located['box'] } = {}): ReturnType<typeof take> {
    this.told.length = this.waits.length = 0;
    const wait = async (ms: number) => void this.waits.push(ms);
    return take({
      sources: this.#sources,
      file: 'layer.geojson',
      located: { via: 'arcgis', url: `${this.publisher.origin}${path}`, where, resource: null, vintage: null, box },
      taken: new TakenFiles(this.#sources),
      client: new Client({ wait, retries: 2, told: line => this.told.push(line) }),
      now: () => new Date('2026-11-28T06:00:00Z'),
    });
  }

  /** What was downloaded. */
  collection(): Collection {
    return JSON.parse(readFileSync(this.#path, 'utf8'));
  }

  features(): Collection['features'] {
    return this.collection().features;
  }

  /** Lets the next download begin anew. */
  drop(): void {
    rmSync(this.#path);
  }

  get #path(): string {
    return join(this.#sources, 'layer.geojson');
  }
}
