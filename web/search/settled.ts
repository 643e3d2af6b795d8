import { useEffect, useState } from 'preact/hooks';

/** Milliseconds without a key after which is counted. */
const PAUSE_MS = 350;

/** A value that has stood for a while. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
