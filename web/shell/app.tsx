import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AskView } from '../ask/ask-view.tsx';
import { MapPane } from '../map/map-pane.tsx';
import { ParcelView } from '../parcel/parcel-view.tsx';
import { PlaceView } from '../place/place-view.tsx';
import { SearchView } from '../search/search-view.tsx';
import { switchUnits, useUnits } from '../values/units.ts';
import { type Address, go, hrefOf, PATHS, useAddress, type View } from './address.ts';
import { ConnectButton, ConnectDialog, OfferDialog } from './connect.tsx';
import { later } from './later.tsx';
import { takeTokenFromAddress } from './session.ts';
import { switchTheme, useTheme } from './theme.ts';

/** The one view without a map, which few look at first. */
const ConsoleView = later(
  async () => (await import('../console/console-view.tsx')).ConsoleView,
  'The console is on its way',
);

const VIEWS: Readonly<Record<View, { readonly title: string; readonly show: ComponentType }>> = {
  place: { title: 'Place', show: PlaceView },
  search: { title: 'Search', show: SearchView },
  parcel: { title: 'Parcel', show: ParcelView },
  ask: { title: 'Ask', show: AskView },
  console: { title: 'Console', show: ConsoleView },
};

/** What a view keeps of the one before: where the map is, and which place was looked at. */
function stateFor(view: View, { state }: Address): Address['state'] {
  const { map = '', at = '', address = '', apn = '' } = state;
  return view === 'search' || view === 'console' ? { map } : { map, at, address, apn };
}

/** Follows links between views without loading the page again. */
function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-view]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const url = new URL(link.href);
  const view = (Object.keys(PATHS) as View[]).find(name => PATHS[name] === url.pathname)!;
  go({ view, state: Object.fromEntries(new URLSearchParams(url.hash.slice(1))) });
}

takeTokenFromAddress();
addEventListener('hashchange', takeTokenFromAddress);

/** The whole page: bar, panel, map. */
export function App() {
  const address = useAddress();
  const theme = useTheme();
  const units = useUnits();
  const panel = useRef<HTMLElement>(null);
  const { title, show: Show } = VIEWS[address.view];
  useEffect(() => {
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  const before = useRef(title);
  useEffect(() => {
    document.title = `${title} · Plat`;
    panel.current?.scrollTo(0, 0);
    // What had the keyboard went with the view before, such as a parcel of a list.
    if (before.current !== title && document.activeElement === document.body) panel.current?.focus();
    before.current = title;
  }, [title]);
  return (
    <div class={`app view-${address.view}`}>
      <button type="button" class="skip" onClick={() => panel.current?.focus()}>
        Skip to the answers
      </button>
      <header class="bar">
        <a class="brand" href="/" data-view="place">
          <img src="/plat.svg" alt="" width="24" height="24" />
          Plat
        </a>
        <nav aria-label="Views">
          {(Object.keys(VIEWS) as View[]).map(view => (
            <a
              key={view}
              href={hrefOf({ view, state: stateFor(view, address) })}
              data-view={view}
              aria-current={view === address.view ? 'page' : undefined}
            >
              {VIEWS[view].title}
            </a>
          ))}
        </nav>
        <div class="bar-end">
          <a class="bar-link" href="/v1/docs">
            API
          </a>
          <button
            type="button"
            class="icon"
            onClick={switchUnits}
            aria-label={units === 'us' ? 'ft: show meters and hectares' : 'm: show feet, miles and acres'}
          >
            {units === 'us' ? 'ft' : 'm'}
          </button>
          <button
            type="button"
            class="icon"
            onClick={switchTheme}
            aria-label={theme === 'dark' ? 'Light colors' : 'Dark colors'}
          >
            {theme === 'dark' ? '☀' : '☾'}
          </button>
          <ConnectButton />
        </div>
      </header>
      <main id="main" class="panel" ref={panel} tabIndex={-1}>
        <Show key={address.view} />
      </main>
      {address.view !== 'console' && <MapPane theme={address.state.report || address.state.site ? 'light' : theme} />}
      <ConnectDialog />
      <OfferDialog />
    </div>
  );
}
