import { folded } from '../retrieval/words.ts';
import { SPANISH_OPINION } from './spanish.ts';

const DECISION = '(?:buy|rent|lease|live|move|settle|retire|invest|stay)';
const PLACE =
  '(?:it|this(?: price)?|that|here|there|one|the|my|our|an?|your|own|house|home|place|lot|land|property|parcel|spot|area|neighborhood|town|money)';
const PRICE = '(?: at (?:this|that|the asking|the) price)?';
/** Words behind the question that data could not tell either: for whom, in whose place. */
const ASIDE =
  '(?: (?:if you were (?:me|us)|in my (?:shoes|place)|for (?:an? |my |our |the )?(?:\\p{L}+ )?(?:family|kids|children|couple|parents|mother|investment)(?: with (?:kids|children))?|or not|yourself|honestly|today|now))?';
const END = `${PRICE}${ASIDE}\\W*$`;
const SUBJECT = '(?:you|i|we|one|somebody|anybody|people)';

/** Questions that ask for advice alone. */
const OPINIONS: readonly RegExp[] = [
  `\\b(?:would|should|could|do) ${SUBJECT}(?: (?:really|personally|recommend|advise|think|say|ever|even|that|${SUBJECT}|should|would|to))* ${DECISION}(?: (?:in|at|on|to|into|near))?(?: ${PLACE})*${END}`,
  `\\b(?:is|are|was|would) ${PLACE}(?: ${PLACE})*(?: be)?(?: really)?(?: an?)? (?:good|great|bad|smart|wise|sound|nice|decent|worth)(?: an?)? (?:buy|deal|investment|bet|idea|purchase|opportunity|it|the money|buying(?: it)?)${END}`,
  `\\bwhat (?:do you think|would you do|would you advise|is your (?:opinion|advice|recommendation|verdict|take))\\b`,
  `\\b(?:do|would) you (?:recommend|advise|like)(?: ${PLACE})*${END}`,
  `\\b(?:${SPANISH_OPINION})\\W*$`,
].map(pattern => new RegExp(pattern, 'u'));

/** Whether a segment asks for advice and names nothing that data could tell: "should I buy flood insurance" names the flood. */
export const asksForOpinion = (text: string): boolean => OPINIONS.some(pattern => pattern.test(folded(text)));
