import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { change, placeText } from '../shell/address.ts';
import { useToken } from '../shell/session.ts';
import { Failed } from '../shell/states.tsx';
import type { Suggestion } from './suggestions.ts';

interface Looked {
  readonly candidates?: readonly {
    readonly resolved_address: string | null;
    readonly lat: number;
    readonly lng: number;
  }[];
}

/** Refusals of an address that others may be meant by. */
const UNCLEAR = ['address_not_found', 'address_too_coarse', 'geocode_unconfigured'];

/** The request that tells which places an address may mean: guests may not look up, and get suggestions. */
function requestFor(address: string, isGuest: boolean): ApiRequest {
  if (isGuest)
    return { method: 'GET', path: `/v1/suggest?${new URLSearchParams({ q: address, kinds: 'address,street,place' })}` };
  return { method: 'POST', path: '/v1/lookup', body: { input: address, kind: 'address', include_parcel: false } };
}

/** A refusal; of an address that fits several places, with those to choose from. */
export function FailedPlace({
  error,
  address,
  again,
}: {
  readonly error: ApiError;
  /** That was asked for; empty where it was no address. */
  readonly address: string;
  readonly again: () => void;
}) {
  const isGuest = useToken() === null;
  const isUnclear = address.length > 1 && UNCLEAR.includes(error.code);
  const [answer] = useAnswer<Looked & { readonly suggestions?: readonly Suggestion[] }>(
    isUnclear ? requestFor(address, isGuest) : null,
  );
  const found = answer.is === 'here' ? answer.value : {};
  const places = [
    ...(found.candidates ?? []).map(({ resolved_address: text, lat, lng }) => ({
      text: text ?? placeText({ lat, lng }),
      lat,
      lng,
    })),
    ...(found.suggestions ?? []),
  ];
  if (places.length === 0) return <Failed error={error} again={again} />;
  return (
    <section class="empty" aria-label="Places of this address">
      <p class="empty-title">Which one is meant?</p>
      <p>“{address}” fits several places.</p>
      <ul class="candidates">
        {places.map(({ text, lat, lng }) => (
          <li key={`${text}${lat}`}>
            <button
              type="button"
              class="link"
              onClick={() => change({ at: placeText({ lat, lng }), address: '', apn: '' })}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
