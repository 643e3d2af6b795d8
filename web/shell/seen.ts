import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Says whether an element has been in view, so that nothing is fetched for what nobody scrolls to: requests are counted by minute.
 * @returns its ref, and whether it was.
 */
export function useSeen<T extends Element>() {
  const element = useRef<T>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && setSeen(true));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, isSeen] as const;
}
