import { serialize } from 'node:v8';
import { latLngToCell } from 'h3-js';
import type { Geometry } from '../../../datasets/geometry.ts';
import { type GeometryPack, packGeometries } from './geometry-pack.ts';

/** Parcels of a set as columns. */
export interface MatchTable {
  readonly count: number;
  /** By name, null where a parcel has no value: what a match shows, its id, its analysis point with the H3 cell, and its outputs. */
  readonly columns: ReadonlyMap<string, unknown[]>;
  /** Of each parcel: outputs without a value and how each stands, as `name:status` with a space between. */
  readonly lacks: readonly string[];
  /** The outlines, where they were asked for. */
  readonly shapes: GeometryPack | null;
}

/** A match as a search writes it. */
interface Match {
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Readonly<Record<string, unknown>>;
  readonly field_status: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/** What every match shows. */
const SHOWN = ['apn', 'address', 'state', 'county', 'city', 'source', 'acreage'];

/**
 * Bytes of a MatchTable (v8.serialize), which the thread that serves everybody has but to store.
 * @param text JSON array of matches. @param resolution of the H3 cell. @param shapes null where they are not wanted.
 */
export function matchTable(
  text: string,
  ids: readonly string[],
  resolution: number,
  shapes: readonly Geometry[] | null,
): Uint8Array {
  const matches = JSON.parse(text) as Match[];
  const points = matches.map(({ analysis_point: point }) => point);
  const columns = new Map<string, unknown[]>([
    ['parcel_id', [...ids]],
    ...SHOWN.map((name): [string, unknown[]] => [name, matches.map(match => match[name] ?? null)]),
    ['lat', points.map(({ lat }) => lat)],
    ['lng', points.map(({ lng }) => lng)],
    ['h3', points.map(({ lat, lng }) => latLngToCell(lat, lng, resolution))],
  ]);
  const lacks = matches.map(() => '');
  for (const name of Object.keys(matches[0]?.fields ?? {})) {
    columns.set(
      name,
      matches.map(({ fields }) => fields[name] ?? null),
    );
    for (const [row, { field_status: statuses }] of matches.entries()) {
      const status = statuses[name] ?? 'ok';
      if (status !== 'ok') lacks[row] += `${lacks[row] === '' ? '' : ' '}${name}:${status}`;
    }
  }
  const table: MatchTable = { count: matches.length, columns, lacks, shapes: shapes && packGeometries(shapes) };
  return serialize(table);
}
