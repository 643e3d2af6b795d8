import { useEffect, useRef, useState } from 'preact/hooks';
import type { Theme } from '../shell/theme.ts';
import type { MapCanvas, MapTrouble } from './map-canvas.ts';

/** The map beside the panel. Its library is loaded after the page is shown. */
export function MapPane({ theme }: { readonly theme: Theme }) {
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<MapCanvas | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [ready, setReady] = useState(false);
  const [trouble, setTrouble] = useState<MapTrouble>(null);
  useEffect(() => {
    let gone = false;
    import('./map-canvas.ts')
      .then(({ openMap }) => (gone ? null : openMap(container.current!, theme, setTrouble)))
      .then(opened => {
        if (gone) opened?.close();
        else {
          canvas.current = opened;
          setReady(true);
        }
      })
      .catch((error: Error) => {
        if (!gone) setProblem(error.message);
      });
    return () => {
      gone = true;
      canvas.current?.close();
      canvas.current = null;
    };
  }, []);
  useEffect(() => canvas.current?.setTheme(theme), [theme]);
  return (
    <section class="map" aria-label="Map">
      <div ref={container} class="map-canvas" />
      {!ready && problem === null && <p class="map-note">The map is on its way…</p>}
      {trouble === 'tiles' && (
        <p class="map-note is-low" role="status">
          Parts of the map cannot be had at the moment. They are asked for again and again.
        </p>
      )}
      {trouble === 'bare' && (
        <p class="map-note">
          This release has no map yet: <code>plat ingest overlay</code> draws it. Everything else works without it.
        </p>
      )}
      {problem !== null && (
        <p class="map-note" role="alert">
          The map cannot be shown: {problem} Everything else works without it.
        </p>
      )}
    </section>
  );
}
