import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { errorWords } from '../api/error-words.ts';
import type { Theme } from '../shell/theme.ts';
import { endFirstMap } from './first-map.ts';
import type { Holding } from './holdings.ts';
import type { MapCanvas, MapTrouble } from './map-canvas.ts';

/** Why there is no map, for people: what a browser says of it is written for programs. */
function whyUnmapped(error: Error): string {
  if (error instanceof ApiError) return errorWords(error);
  // The map's library tells so in JSON.
  if (/webgl/i.test(error.message)) return 'This browser cannot draw it, for want of WebGL.';
  return 'A part of this page could not be loaded; open the page again in a moment.';
}

/** Places that are named one by one. */
const MOST_NAMED = 3;

function namesOf(holdings: readonly Holding[]): string {
  const names = [...new Set(holdings.map(({ name }) => name))];
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The map beside the panel. Its library is loaded after the page is shown. */
export function MapPane({ theme }: { readonly theme: Theme }) {
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<MapCanvas | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [ready, setReady] = useState(false);
  const [trouble, setTrouble] = useState<MapTrouble>(null);
  const [away, setAway] = useState<readonly Holding[]>([]);
  useEffect(() => {
    let gone = false;
    Promise.all([import('./map-canvas.ts'), import('./map-worker.ts')])
      .then(([{ openMap }, { workerUrl }]) =>
        gone ? null : openMap(container.current!, workerUrl, theme, setTrouble, setAway),
      )
      .then(opened => {
        if (gone) opened?.close();
        else {
          canvas.current = opened;
          setReady(true);
        }
      })
      .catch((error: Error) => {
        if (!gone) setProblem(whyUnmapped(error));
      });
    return () => {
      gone = true;
      canvas.current?.close();
      canvas.current = null;
    };
  }, []);
  useEffect(() => canvas.current?.setTheme(theme), [theme]);
  useEffect(() => {
    if (trouble !== null || problem !== null) endFirstMap();
  }, [trouble, problem]);
  return (
    <section class="map" aria-label="Map">
      <div ref={container} class="map-canvas" />
      {!ready && problem === null && <p class="map-note">The map is on its way…</p>}
      {trouble === 'tiles' && (
        <p class="map-note is-low" role="status">
          Parts of the map cannot be had at the moment. They are asked for again and again.
        </p>
      )}
      {trouble === 'bare' && <p class="map-note">This release has no map yet. Everything else works without it.</p>}
      {away.length > 0 && (
        <div class="map-note is-away" role="status">
          <p>Nothing of this server lies here. It holds {namesOf(away)}.</p>
          <div class="row">
            {away.slice(0, MOST_NAMED).map(holding => (
              <button key={holding.name} type="button" class="small" onClick={() => canvas.current?.goTo(holding)}>
                Go to {holding.name}
              </button>
            ))}
          </div>
        </div>
      )}
      {problem !== null && (
        <p class="map-note" role="alert">
          The map cannot be shown: {problem} Everything else works without it.
        </p>
      )}
    </section>
  );
}
