import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Waiting } from './states.tsx';

/**
 * Makes a part of the page whose code is loaded when it is first shown, so that the first page stays light.
 * @param what is awaited, as a sentence without its end.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, what: string): ComponentType<P> {
  let part: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [, setLoaded] = useState(part !== null);
    const [isLost, setLost] = useState(false);
    useEffect(() => {
      if (part) return;
      load().then(
        loaded => {
          part = loaded;
          setLoaded(true);
        },
        () => setLost(true),
      );
    }, []);
    if (isLost)
      return (
        <p class="warn" role="alert">
          A part of this page could not be loaded; open the page again in a moment.
        </p>
      );
    const Part = part;
    return Part ? <Part {...props} /> : <Waiting what={what} />;
  };
}
