import { pageWords } from '../values/page-words.ts';
import type { ApiError, Issue } from './api-error.ts';

/** What refusals say on the page where the service words them for programs. */
const WORDS: Readonly<Record<string, string>> = {
  guest_refused: 'This needs a token of your own. Connect to the service, and this goes on by itself.',
  auth_missing: 'Answers need a token. Connect to the service, and this goes on by itself.',
  auth_malformed: 'This is no token of the service: use another one.',
  rate_limited: 'Too much was asked within a minute. Wait a little, then try again.',
  fetch_busy: 'The server is busy. Try again in a moment.',
  resolve_busy: 'The server is busy. Try again in a moment.',
  geocode_busy: 'Too many addresses are being looked up. Try again in a moment.',
  geocode_timeout: 'The address could not be looked up in time. Try again in a moment.',
  geocode_unconfigured: 'This server knows no such address, and asks no other service for it. Try one of its own area.',
  geocode_budget_exhausted:
    'This server may ask no more addresses of others today. Click the place on the map instead.',
  fields_unknown: 'This server does not know one of the values that were asked for.',
  no_fields_requested: 'Nothing was asked for. Choose a topic.',
  invalid_locator: 'Give one place: an address, or a coordinate.',
};

/** What a refusal says to people. */
export function errorWords({ code, message, status }: Pick<ApiError, 'code' | 'message' | 'status'>): string {
  if (code === 'coord_out_of_bounds')
    return `This place is outside the United States${/swapped/.test(message) ? '; its two numbers seem to be swapped' : ''}.`;
  if (code === 'search_invalid_request') return 'The search cannot be made as it is.';
  // The shape of a request is the page's own doing, or that of who wrote the address by hand.
  if (code === 'invalid') return 'This cannot be asked as it stands. Choose anew what to ask for.';
  if (WORDS[code]) return WORDS[code];
  const words = pageWords(message).replace(/(?<![.!?])$/, '.');
  if (words !== '.') return words;
  return status >= 500
    ? 'The service could not answer this. Try again in a moment.'
    : 'The service cannot answer this.';
}

/** Why a run or one of its places failed. */
export interface Failure {
  readonly error: string;
  readonly message: string;
}

/** Why a run or one of its places failed, as it is told to people. */
export const failureWords = ({ error: code, message }: Failure): string => errorWords({ code, message, status: 500 });

/** Which part of a search a fault is in; empty where it is no part that the page shows. */
function partOf(path: string, description: string): string {
  const [, index] = /^filters\[(\d+)\]/.exec(path) ?? [];
  if (index === undefined || /\barea\b/i.test(description)) return '';
  // The state is the first condition of the request and none of the list.
  return `Condition ${index}: `;
}

/** A fault in words for people. */
export function issueWords({ path, description, hint = '' }: Issue): string {
  // Edges are counted for programs: the map shows where they cross.
  const told = /self-intersection/i.test(description)
    ? 'The area crosses itself.'
    : pageWords(description.replace(/ \(counted from 0\)/, ''));
  return `${partOf(path, description)}${[told, pageWords(hint)].filter(text => text !== '').join(' ')}`;
}
