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
  building living owning buying selling driving walking digging grading drilling farming insuring don doesn isn aren can
  no nobody somebody someone anyone everyone yes unfortunately fortunately luckily sadly probably possibly certainly clearly
  simply actually historically locally nationally statewide nationwide relatively comparatively average annual typical total
  beware beyond outside inside along across around behind beneath below above underneath being beside besides between next
  today now currently right close far farther closer higher lower steep flat level good bad great high low new old big small
  large half part parts much many few fewer greater lots plenty dozens hundreds thousands first last next once twice whatever
  whenever wherever who whose why how can could should would may might must will shall do does did has have had is are was
  were be been let see say call look find think remember ask check read order confirm verify consider keep take make get
  expect budget add treat walk drive build buy sell insure lenders lender insurers insurance buyers owners builders
  developers farmers residents households neighbors trees woods forest forests wetland wetlands water soil soils slope slopes
  terrain flood flooding floods fire fires wildfire wildfires storm storms rain rainfall snow winter winters summer summers
  spring autumn fall temperatures temperature hot cold wind winds hail tornadoes hurricanes earthquakes landslides drought
  schools school hospitals hospital roads road traffic noise power electricity gas sewer fiber internet broadband restaurants
  shops stores parks park zoning taxes tax value values price prices sales sale risk risks hazard hazards danger bedrock
  groundwater streams stream river rivers lakes lake ponds coast trains airports transit stops karst sinkholes radon levees
  levee dams dam location distance distances elevation area areas both buildings houses homes people county data sources question answer`.split(
    /\s+/,
  ),
);

/** Units and countries that a sentence may name without a record. */
const ALLOWED = new Set(
  'usd us u.s united states american america celsius fahrenheit mw mwh kw kwh kv mbps dba gps ac i'.split(' '),
);

/** Endings of adverbs and of plurals for people and acts, by which no name ends that a sentence begins with. */
const COMMON_ENDING = /(?:\p{L}{3}ly|(?:ers|ors|ists|holds|ments|tions|ties|ings))$/u;

/** Whether a capitalised word is no name: a unit, or the first word of a sentence that is in the list. */
export function isOrdinary(word: string, first: boolean): boolean {
  const lower = word.toLowerCase();
  const [part] = lower.split('-');
  return (
    ALLOWED.has(lower) ||
    (first && (OPENERS.has(lower) || OPENERS.has(part!) || isEmpty(lower) || COMMON_ENDING.test(lower)))
  );
}
