import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { type AreaGeometry, showOnMap } from '../map/scene.ts';
import { change } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed, Waiting } from '../shell/states.tsx';
import { distanceWords, valueWords } from '../values/value-words.ts';
import { Citations } from './citations.ts';
import { type GroundRecord, groundWords } from './ground-words.ts';
import { MapPicture } from './map-picture.tsx';
import { Cite, Sources } from './paper-parts.tsx';
import '../style/desk.css';
import './report.css';

/** Values and parcels that a report of four pages has room for. */
const MOST_VALUES = 70;
const MOST_PARCELS = 40;
/** Milliseconds between looks whether a screening is through. */
const LOOK_MS = 1_000;

interface Site {
  readonly site_id: string;
  readonly status: 'building' | 'ready' | 'failed';
}

interface Dossier {
  readonly acres: number;
  readonly release: string | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly records: Readonly<Record<string, GroundRecord>>;
  readonly parcels: {
    readonly status: string;
    readonly count: number | null;
    readonly acres_on_site: number | null;
    readonly parcels: readonly {
      readonly parcel_id: string;
      readonly apn: string | null;
      readonly address: string | null;
      readonly acres_on_site: number;
    }[];
  };
}

const acres = (count: number) => valueWords(count, 'acres', 'acreage');

/** What decides about most sites, in the order of a report. */
const FIRST: readonly string[] = [
  ...['fema_flood_zone', 'within_floodplain_polygon', 'within_regulatory_floodway', 'nearest_sfha_distance_m'],
  ...['within_nwi_wetland', 'nwi_wetland_type', 'within_protected_area', 'slope_percent', 'elevation'],
  ...['land_cover_class', 'nearest_transmission_line_distance_m', 'nearest_substation_distance_m'],
];
/** What fields tell of a neighborhood, which of a whole ground says little. */
const AROUND = /\bwithin [\d.,]+ k?m\b/i;

/** Records in the order of a report: what decides about most sites, then layer by layer. */
function inOrder(records: readonly (readonly [string, GroundRecord])[], catalog: Catalog) {
  const rank = ([name]: readonly [string, GroundRecord]) => {
    const at = FIRST.indexOf(name);
    return at < 0 ? FIRST.length : at;
  };
  return records
    .filter(([name]) => !AROUND.test(catalog.fields.get(name)?.title ?? ''))
    .toSorted((one, other) => rank(one) - rank(other));
}

/** The pages that are printed. */
function Paper({
  dossier: { acres: size, analysis_point: at, records, parcels, release },
  area,
  catalog,
}: {
  readonly dossier: Dossier;
  readonly area: AreaGeometry;
  readonly catalog: Catalog;
}) {
  const citations = new Citations(catalog);
  const told = inOrder(Object.entries(records), catalog).flatMap(([name, record]) => {
    const { area: found, unit } = record;
    const words = found?.status === 'ok' && found.statistics ? groundWords(found.statistics, unit, name) : '';
    return words === ''
      ? []
      : [{ name, words, number: citations.numberOf(name, { ...record, ...found!, value: null }) }];
  });
  const shown = told.slice(0, MOST_VALUES);
  const layers = Map.groupBy(shown, ({ name }) => catalog.fields.get(name)?.layer ?? 'other');
  const { parcels: listed, count } = parcels;
  return (
    <article class="report of-site" aria-label="Report">
      <header>
        <h1>A site of {acres(size)}</h1>
        <p>
          {at.lat.toFixed(5)}, {at.lng.toFixed(5)} · {new Date().toLocaleDateString('en-US', { dateStyle: 'long' })}
        </p>
      </header>
      <MapPicture boundary={area} what="Map of the site and what is around it" />
      {[...layers].map(([layer, values]) => (
        <section key={layer} aria-label={wordsOf(layer)}>
          <h2>{wordsOf(layer)}</h2>
          <dl>
            {values.map(({ name, words, number }) => (
              <div key={name}>
                <dt>{distanceWords(catalog.fields.get(name)?.title ?? wordsOf(name))}</dt>
                <dd>
                  {words}
                  <Cite number={number} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {told.length > shown.length && <p class="note">{told.length - shown.length} more values are known of it.</p>}
      <section aria-label="Parcels">
        <h2>Parcels</h2>
        <p>
          {count === null
            ? 'Which parcels lie on it is not known.'
            : `${count.toLocaleString('en-US')} ${count === 1 ? 'parcel has' : 'parcels have'} ground on it${parcels.acres_on_site === null ? '' : `, ${acres(parcels.acres_on_site)} together`}.`}
          {listed.length > MOST_PARCELS && ` These are the ${MOST_PARCELS} with most of it.`}
        </p>
        <dl>
          {listed.slice(0, MOST_PARCELS).map(({ parcel_id: id, apn, address, acres_on_site: size }) => (
            <div key={id}>
              <dt>
                {apn ?? 'Without number'}
                {address && `, ${address}`}
              </dt>
              <dd>{acres(size)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <Sources citations={citations} release={release} />
    </article>
  );
}

/** Whether a site is screened: looked up again until it is. */
function useDossier(id: string | null) {
  const [times, setTimes] = useState(0);
  const [site, again] = useAnswer<Site>(id === null ? null : { method: 'GET', path: `/v1/sites/${id}` }, times);
  const status = site.is === 'here' ? site.value.status : null;
  useEffect(() => {
    if (status !== 'building') return;
    const timer = setTimeout(() => setTimes(n => n + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [status, times]);
  const [dossier] = useAnswer<Dossier>(status === 'ready' ? { method: 'GET', path: `/v1/sites/${id}/dossier` } : null);
  return { site, again, status, dossier };
}

/** A report of a drawn ground to print, on four pages: the map, what is known of it by layer, its parcels and whom it is cited from. */
export function SiteReport({
  area,
  id,
  catalog,
  onClose,
}: {
  readonly area: AreaGeometry;
  /** Of the site; null before it is screened. */
  readonly id: string | null;
  readonly catalog: Catalog | null;
  readonly onClose: () => void;
}) {
  const [error, setError] = useState<ApiError | null>(null);
  const [sending, setSending] = useState(false);
  const { site, again, status, dossier } = useDossier(id);
  useEffect(() => showOnMap({ area }), [area]);
  const request: ApiRequest = { method: 'POST', path: '/v1/sites', body: { site: area } };
  const screen = () => {
    setSending(true);
    setError(null);
    ask<Site>(request)
      .then(({ site_id }) => change({ site: site_id }, true), setError)
      .finally(() => setSending(false));
  };
  const told = dossier.is === 'here' ? dossier.value : null;
  return (
    <>
      <div class="row no-print">
        <button type="button" onClick={onClose}>
          Back to the search
        </button>
        <button type="button" class="primary" disabled={!told} onClick={() => print()}>
          Print or save as PDF
        </button>
      </div>
      {id === null && (
        <div class="card no-print">
          <h1>A report of this ground</h1>
          <p>All that is known of the ground as a whole, its parcels and sources, on four pages.</p>
          <div class="row end">
            <button type="button" class="primary" disabled={sending} onClick={screen}>
              {sending ? 'Sending…' : 'Screen it for 10 credits'}
            </button>
          </div>
          <RequestPanel request={request} />
        </div>
      )}
      {error && <Failed error={error} again={screen} />}
      {site.is === 'failed' && <Failed error={site.error} again={again} />}
      {status === 'failed' && <p class="warn">It could not be screened. Screen it again in a moment.</p>}
      {dossier.is === 'failed' && <Failed error={dossier.error} />}
      {id !== null && !told && !['failed'].includes(status ?? '') && site.is !== 'failed' && (
        <>
          <p class="note" role="status">
            The ground is being screened; that takes some seconds.
          </p>
          <Waiting what="The ground is being screened" />
        </>
      )}
      {told && catalog && <Paper dossier={told} area={area} catalog={catalog} />}
    </>
  );
}
