import { isEmpty } from '../retrieval/words.ts';

/** Words that are capitalised only because they begin a sentence. */
const OPENERS = new Set(
  `according additionally all also although altogether and another any as at based because both but by compared comparing
  consequently consider currently depending despite due during each either expect finally first for from further furthermore
  generally given given here hence however if in including instead it its least less like likely mapped meanwhile more
  moreover most near nearby nearest neither no none nothing note note notably of on only other otherwise overall over per
  plan please records records regarding read roughly second several similarly since slightly so some still such that the
  their them then there therefore these they this those though thus to together two under unlike until use using values
  very what when where whereas whether which while with within without yes you your land ground parcel place point site
  location distance distances elevation area areas both buildings houses homes people county data sources question answer`.split(
    /\s+/,
  ),
);

/** Units and countries that a sentence may name without a record. */
const ALLOWED = new Set(
  'usd us u.s united states american america celsius fahrenheit mw mwh kw kwh kv mbps dba gps ac i'.split(' '),
);

/** Whether a capitalised word is no name: a unit, or the first word of a sentence that is in the list. */
export function isOrdinary(word: string, first: boolean): boolean {
  const lower = word.toLowerCase();
  return ALLOWED.has(lower) || (first && (OPENERS.has(lower) || isEmpty(lower)));
}
