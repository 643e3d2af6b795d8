import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { Catalog } from '../api/catalog.ts';
import { keepPaidAnswer, paidAnswer } from '../api/paid-answer.ts';
import { ask } from '../api/request.ts';
import { boxAround, fitOnMap, type MapShape, showOnMap } from '../map/scene.ts';
import { TONES } from '../map/tones.ts';
import { change } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { useTheme } from '../shell/theme.ts';
import { dateWords, lackWords } from '../values/page-words.ts';
import { valueWords } from '../values/value-words.ts';
import { buildableBody, type SitingTemplate } from './buildable-body.ts';
import { exclusionWords, TEMPLATES } from './exclusion-words.ts';
import type { ParcelQuestion } from './parcel-question.ts';

type Ground = AnswerOf<'buildable'>;
type Exclusion = Ground['exclusions'][number];

const acres = (count: number) => valueWords(count, 'acres', 'acreage');

/** What an exclusion takes. */
function taken({ alone_acres: alone, last_acres: last, status }: Exclusion): string {
  if (status !== 'ok' || alone === null) return 'not known here';
  if (alone === 0) return 'takes nothing';
  const won = last === null || last === 0 ? 'nothing more without it' : `${acres(last)} more without it`;
  return `takes ${acres(alone)}; ${won}`;
}

/** Whose data an exclusion is of, and of when. */
function Cited({ source_url: url, dataset_vintage: vintage }: Exclusion) {
  if (url === null) return null;
  return (
    <a class="note" href={url} target="_blank" rel="noreferrer noopener">
      source{vintage === null ? '' : ` of ${dateWords(vintage)}`}
    </a>
  );
}

/** What is left, and each exclusion with a switch that shows its ground on the map. */
function Left({
  ground,
  onAgain,
}: {
  readonly ground: Ground;
  /** Receives layers that the ground shall be drawn without. */
  readonly onAgain: (without: readonly string[]) => void;
}) {
  const theme = useTheme();
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const tones = TONES[theme];
  const colorAt = (i: number) => tones.kinds[i % tones.kinds.length]!;
  useEffect(() => {
    const shapes: MapShape[] = ground.exclusions.flatMap(({ geometry }, id) =>
      geometry && !hidden.has(id) ? [{ id: id + 1, geometry, color: colorAt(id), opacity: 0.28 }] : [],
    );
    if (ground.geometry) shapes.push({ id: 0, geometry: ground.geometry, color: tones.good, opacity: 0.45 });
    showOnMap({ shapes });
  }, [ground, hidden, theme]);
  useEffect(() => {
    const box = boxAround(ground.geometry ? [ground.geometry] : []);
    if (box) fitOnMap(box);
  }, [ground]);
  const {
    buildable_acres: left,
    gross_acres: gross,
    largest_piece_acres: largest,
    undecidable_fraction: open,
  } = ground;
  const toggle = (id: number) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  };
  const all = ground.exclusions.map((_, id) => id);
  return (
    <>
      <p role="status">
        {left === null ? (
          <strong>How much can be built on is not known.</strong>
        ) : (
          <>
            <strong>
              {acres(left)} of {acres(gross)}
            </strong>{' '}
            can be built on
            {left > 0 && largest !== null ? `, ${acres(largest)} of them in one piece` : ''}.
          </>
        )}{' '}
        {open !== null &&
          open > 0 &&
          `${valueWords(open, 'fraction')} lies so near an edge that the maps do not decide it.`}
      </p>
      {ground.partial_failures.map(({ layer, error }) => (
        <p key={layer} class="warn">
          {exclusionWords(layer)}: {(lackWords(error) || 'Not known here').replace(/\.?$/, '.')}
        </p>
      ))}
      <fieldset class="pieces">
        <legend class="note">What it keeps clear of. A switch shows or hides it on the map.</legend>
        {ground.exclusions.map((exclusion, id) => (
          <div key={id} class="piece">
            <label>
              <input
                type="checkbox"
                checked={!hidden.has(id)}
                disabled={!exclusion.geometry}
                onChange={() => toggle(id)}
              />
              <span class="swatch" style={{ background: colorAt(id) }} />
              {exclusionWords(exclusion.layer)}
            </label>
            <span class="note">{taken(exclusion)}</span>
            <Cited {...exclusion} />
          </div>
        ))}
      </fieldset>
      <div class="row">
        <button type="button" class="small" onClick={() => setHidden(new Set())}>
          Show all
        </button>
        <button type="button" class="small" onClick={() => setHidden(new Set(all))}>
          Show only what is left
        </button>
      </div>
      {hidden.size > 0 && (
        <div class="row end">
          <button type="button" onClick={() => onAgain([...hidden].map(id => ground.exclusions[id]!.layer))}>
            Without what is switched off
          </button>
        </div>
      )}
    </>
  );
}

/** Layers of an address that a ground is drawn without. */
const withoutOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(layer => layer !== '');

/**
 * Some ground on which a kind of project can be built, on request: it costs credits.
 * @param of a parcel by its id, or an outline, as the service takes it. @param state what the address says: `template` and `without`.
 */
export function BuildableGround({
  of,
  catalog,
  state,
}: {
  readonly of: object;
  readonly catalog: Catalog | null;
  readonly state: Readonly<Record<string, string>>;
}) {
  const template = TEMPLATES.some(([name]) => name === state.template) ? state.template! : TEMPLATES[0]![0];
  const without = withoutOf(state.without);
  const [listed] = useAnswer<{ readonly templates: readonly SitingTemplate[] }>(
    without.length > 0 ? { method: 'GET', path: '/v1/buildable/templates' } : null,
  );
  const rules = listed.is === 'here' ? listed.value.templates.find(({ name }) => name === template) : undefined;
  const body = without.length === 0 ? { template } : rules ? buildableBody(rules, without) : null;
  const question = JSON.stringify([of, template, without, catalog?.release]);
  const [told, setTold] = useState<{ readonly of: string; readonly ground: Ground } | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [waiting, setWaiting] = useState(false);
  const kept = paidAnswer<Ground>('buildable', question);
  const ground = told?.of === question ? told.ground : kept;
  useEffect(() => {
    setError(null);
    if (!ground) showOnMap({ shapes: [] });
  }, [question]);
  const request = {
    method: 'POST',
    path: '/v1/buildable',
    body: { ...of, ...body, exclusion_geometry: true },
  } as const;
  const draw = () => {
    setWaiting(true);
    setError(null);
    ask<Ground>(request)
      .then(answer => {
        keepPaidAnswer('buildable', question, answer);
        setTold({ of: question, ground: answer });
      }, setError)
      .finally(() => setWaiting(false));
  };
  return (
    <>
      <label class="field">
        For
        <select
          value={template}
          disabled={waiting}
          onChange={event => change({ template: event.currentTarget.value, without: '' }, true)}
        >
          {TEMPLATES.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {without.length > 0 && (
        <p class="row between">
          <span class="note">Not kept clear of: {without.map(exclusionWords).join(', ')}.</span>
          <button type="button" class="small" onClick={() => change({ without: '' })}>
            Keep clear of them again
          </button>
        </p>
      )}
      {listed.is === 'failed' && <Failed error={listed.error} />}
      {!ground && (
        <>
          <p class="note">
            The ground without flood zones, wetlands, water, roads, lines, steep ground and what else such a project
            usually keeps clear of. Where developers begin; no law.
          </p>
          <div class="row end">
            <button type="button" class="primary" disabled={waiting || body === null} onClick={draw}>
              {waiting ? 'Drawing…' : 'Draw it for 10 credits'}
            </button>
          </div>
        </>
      )}
      {error && <Failed error={error} again={draw} />}
      {ground && (
        <Left
          key={question}
          ground={ground}
          onAgain={more => change({ without: [...new Set([...without, ...more])].join(',') })}
        />
      )}
      <RequestPanel request={request} />
    </>
  );
}

/** The ground of a parcel on which a kind of project can be built. */
export const Buildable = ({ parcelId, catalog, state }: ParcelQuestion) => (
  <BuildableGround of={{ parcel_id: parcelId }} catalog={catalog} state={state} />
);
