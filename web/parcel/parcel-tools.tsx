import { useEffect } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { showOnMap } from '../map/scene.ts';
import { change } from '../shell/address.ts';
import { later } from '../shell/later.tsx';
import { BESIDE_TOOL } from './beside-places.ts';
import type { ParcelQuestion } from './parcel-question.ts';
import '../style/desk.css';

const Buildable = later(async () => (await import('./buildable.tsx')).Buildable, 'The form is on its way');
const Buildings = later(async () => (await import('./buildings.tsx')).Buildings, 'Buildings are being looked up');
const DriveTimes = later(async () => (await import('./drive-times.tsx')).DriveTimes, 'The form is on its way');
const Beside = later(async () => (await import('./beside.tsx')).Beside, 'The table is on its way');
const OwnerParcels = later(
  async () => (await import('./owner-parcels.tsx')).OwnerParcels,
  'The owner is being looked up',
);
const LookAlikes = later(async () => (await import('./look-alikes.tsx')).LookAlikes, 'Parcels are being compared');
const Assemblages = later(async () => (await import('./assemblages.tsx')).Assemblages, 'The form is on its way');

const WatchForm = later(async () => (await import('../watch/watch-form.tsx')).WatchForm, 'The form is on its way');

/** Tells when a publication changes something of a parcel. */
const ParcelWatch = ({ parcelId, catalog }: ParcelQuestion) =>
  catalog && <WatchForm subject={{ parcel_ids: [parcelId] }} asked={[]} catalog={catalog} />;

const TOOLS = [
  ['buildings', 'Flood by building', Buildings],
  ['buildable', 'Buildable ground', Buildable],
  ['drive', 'Drive times', DriveTimes],
  ['together', 'With neighbors', Assemblages],
  [BESIDE_TOOL, 'Side by side', Beside],
  ['alike', 'Look-alikes', LookAlikes],
  ['owner', 'Same owner', OwnerParcels],
  ['watch', 'Watch', ParcelWatch],
] as const;

interface Ranked {
  readonly matches: readonly { readonly parcel_id: string }[];
}

/** What a parcel leads to: what can be built on it, what else its owner has, what is like it, and what it makes with its neighbors. */
export function ParcelTools({
  parcelId,
  search,
  ...rest
}: Omit<ParcelQuestion, 'parcelId'> & {
  /** Null where only its number is known. */
  readonly parcelId: string | null;
  /** The search that finds it; null where its id is known. */
  readonly search: ApiRequest | null;
}) {
  const { state } = rest;
  const chosen = TOOLS.find(([name]) => name === state.tool);
  const { filters } = (search?.body ?? {}) as { readonly filters?: unknown };
  const [ranked] = useAnswer<Ranked>(
    chosen && parcelId === null && filters !== undefined
      ? {
          method: 'POST',
          path: '/v1/rank',
          body: { filters, order_by: [{ field: 'acreage', direction: 'asc' }], limit: 1 },
        }
      : null,
  );
  const id = parcelId ?? (ranked.is === 'here' ? (ranked.value.matches[0]?.parcel_id ?? null) : null);
  useEffect(() => () => showOnMap({ shapes: [] }), [state.tool, id]);
  const Tool = chosen?.[2];
  return (
    <section class="tools" aria-label="What it leads to">
      <fieldset class="segments">
        <legend class="visually-hidden">What it leads to</legend>
        {TOOLS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === state.tool}
            onClick={() => change({ tool: name === state.tool ? '' : name })}
          >
            {title}
          </button>
        ))}
      </fieldset>
      {Tool && id !== null && (
        <div class="card">
          <Tool key={`${state.tool}${id}`} {...rest} parcelId={id} />
        </div>
      )}
    </section>
  );
}
