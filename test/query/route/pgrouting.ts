import { globSync } from 'node:fs';
import pg from 'pg';
import { arrivals, departures, direct } from '../../../query/route/ends.ts';
import { nodeCount, type RoadGraph, UNREACHED } from '../../../query/route/graph.ts';
import { MatrixSearch } from '../../../query/route/matrix.ts';
import type { Snap } from '../../../query/route/snap.ts';
import { POSTGRES_INSTALLED } from '../../server/state/postgres.ts';

/** Whether PostgreSQL finds pgRouting. */
export const PGROUTING_INSTALLED =
  POSTGRES_INSTALLED && globSync('/usr/share/postgresql/*/extension/pgrouting.control').length > 0;

/**
 * Seconds between places by pgr_dijkstraCost over the arcs of a graph, as ours are: row by row, Infinity where there is no way.
 * @param url of an empty database.
 * @returns also the milliseconds that the query took.
 */
export async function pgRoutingSeconds(
  url: string,
  graph: RoadGraph,
  origins: readonly Snap[],
  destinations: readonly Snap[],
) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create extension if not exists pgrouting cascade');
    await client.query('drop table if exists arcs');
    await client.query('create table arcs (id serial, source int, target int, cost float8)');
    const rows: [number, number, number][] = [];
    for (const [arc, node] of graph.arcs.node.entries())
      rows.push([graph.tail[arc]!, node, graph.arcs.time[arc]! / 1000]);
    // Places are nodes of their own, behind those of the graph.
    const first = nodeCount(graph);
    origins.forEach((place, i) => {
      for (const { node, time } of departures(graph, place)) rows.push([first + i, node, time / 1000]);
      destinations.forEach((to, j) => {
        const way = direct(graph, place, to);
        if (way) rows.push([first + i, first + origins.length + j, way.time / 1000]);
      });
    });
    destinations.forEach((place, j) => {
      for (const { node, time } of arrivals(graph, place)) rows.push([node, first + origins.length + j, time / 1000]);
    });
    for (let at = 0; at < rows.length; at += 50_000) {
      const part = rows.slice(at, at + 50_000);
      await client.query(
        'insert into arcs (source, target, cost) select * from unnest($1::int[], $2::int[], $3::float8[])',
        [part.map(row => row[0]), part.map(row => row[1]), part.map(row => row[2])],
      );
    }
    const started = performance.now();
    const found = await client.query<{ start_vid: string; end_vid: string; agg_cost: number }>(
      `select start_vid, end_vid, agg_cost from pgr_dijkstraCost('select id, source, target, cost from arcs', $1::int[], $2::int[], true)`,
      [origins.map((_, i) => first + i), destinations.map((_, j) => first + origins.length + j)],
    );
    const ms = performance.now() - started;
    const seconds = new Float64Array(origins.length * destinations.length).fill(Infinity);
    for (const { start_vid, end_vid, agg_cost } of found.rows)
      seconds[(Number(start_vid) - first) * destinations.length + Number(end_vid) - first - origins.length] = agg_cost;
    return { seconds, ms };
  } finally {
    await client.end();
  }
}

/** The largest difference of our times from pgRouting's in seconds, Infinity where one finds a way and the other none. */
export function largestDifference(
  graph: RoadGraph,
  origins: readonly Snap[],
  destinations: readonly Snap[],
  theirs: Float64Array,
) {
  const { time } = new MatrixSearch(graph).table(origins, destinations);
  let largest = 0;
  let reached = 0;
  time.forEach((ms, i) => {
    const ours = ms === UNREACHED ? Infinity : ms / 1000;
    if (ours !== Infinity) reached++;
    largest = Math.max(largest, ours === theirs[i] ? 0 : Math.abs(ours - theirs[i]!));
  });
  return { largest, reached };
}
