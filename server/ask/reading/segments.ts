import nlp from 'compromise';
import { SPANISH_ASKING } from './spanish.ts';

/** How a segment stands to the question: it asks, it tells about the asker, or it only names something. */
type Manner = 'asks' | 'tells' | 'names';

/** A run of words that asks one thing, or leads to it. */
export interface Segment {
  readonly text: string;
  /** The number of its sentence. */
  readonly sentence: number;
  readonly manner: Manner;
  /** Its words with their tags. */
  readonly tagged: ReturnType<typeof nlp>;
}

/** Most segments of one question that are read. */
const MAX_SEGMENTS = 24;
/** Most characters of one segment whose words are tagged. */
const MAX_TAGGED = 600;

const FILLERS = '(?:(?:so|and|ok|okay|hey|hi|hello|please|but|also|now|just|well|y|pero|por favor)[,\\s]+)*';
/** Fewest words that tell something. */
const LEAST_TOLD = 4;
/** What a telling begins with. */
const GREETING = /^(?:(?:hi|hello|hey|hola|ok|okay|so|well|thanks)\b(?: (?:there|all|everyone|folks))?[,!. ]+)+/i;
/** Words that begin a question or a wish. */
const ASKING = `how|what|whats|what's|which|who|who's|whos|whose|when|where|why|tell|give|show|list|find|compare|calculate|return|provide|fetch|get|identify|need|looking|map|any|anything|anyone|anywhere|${SPANISH_ASKING}`;
const VERBS = 'is|are|am|was|were|does|do|did|can|could|will|would|should|has|have';
/** A verb with its subject: "and are crossed by railways" asks nothing new. */
const INVERTED = `(?:${VERBS})\\s+(?:it|its|there|this|that|these|the|an?|my|our|your|any|we|i|you|they|he|she)`;
const BEGINS = new RegExp(`^[¿¡\\s]*${FILLERS}(?:${ASKING}|${VERBS})(?![\\p{L}])`, 'iu');
const SENTENCE = new RegExp(
  String.raw`(?<=[?!;\n\r]|(?<!\b(?:vs|st|mt|ft|dr|ave|no|e\.g|i\.e|approx))\.)\s+|(?<=:)\s+(?=(?:${VERBS})\s)|¿|\n+`,
  'i',
);
/** A joint after which another question begins. */
const JOINT = new RegExp(
  `(?:,\\s*|\\s+)(?:(?:and|but|or|so|plus|y|e|pero)\\s+|,)?(?=(?:also\\s+)?(?:${ASKING}|${INVERTED})(?![\\p{L}]))`,
  'iu',
);
/** Joints only: a verb in the middle of a question begins no other one. */
const JOINED = /,|\b(?:and|but|or|so|plus|y|e|pero)\b/i;
/** A question within a telling: "I mean how far is it". */
const ASKS_WITHIN =
  /\b(?:how (?:far|many|much|close|big|deep|high|old|long)|ask(?:s|ed|ing)? (?:me |us |for )?(?:about|if|how|what|which|who|when|where|why)|(?:wants?|wanted|needs?|needed) to know|what(?:'s| is| are| would| will| can| could| do| does)|which|whether)\b/i;
/** A telling that is a wish. */
const WISH =
  /\b(?:(?:need|want|like|love|try\w*) (?:to (?:know|see|find|understand|get|have)|the|a|an|some)|wonder\w*|curious|interested in|care about|looking for|quiero saber|necesito|quisiera)\b/i;
/** What its asker has elsewhere, against which the place is held: the question is about the place. */
const OF_ASKER =
  /,?\s+(?:as )?(?:compared (?:to|with)|than|versus|vs\.?|unlike|like) (?:what|where|how much|the (?:one|place|house|\p{L}+)(?= (?:we|i|my|our)\b)) ?(?:we|i|my|our)\b[^.,;?!]*/giu;
/** Somebody who asks behind a telling: "we want a pool, and the contractor asked how steep it is". */
const REPORTED =
  /,? (?:and|but|so|because|since) (?=(?:the |my |our |his |her |their )?\p{L}+(?: \p{L}+)? (?:keeps? |is |was )?(?:ask(?:s|ed|ing)?|wants? to know|wanted to know)(?: me| us)? (?:how|what|which|who|when|where|whether|if|about)\b)/giu;
const TELLER = '^#Conjunction? (#Pronoun|#Possessive|#Determiner|there) #Adverb? .{0,6} #Verb';

/** A telling without its subject: "Went to an open house", "Coming from the city". */
const SUBJECTLESS =
  '^#Adverb? (#PastTense|#Gerund) (to|from|at|in|on|into|about|an?|the|my|our|some|this|that|with|up|out)';

/** Who says so, where somebody else tells of the place: "the agent says", "her brother swears". */
export const REPORTER =
  /^(?:(?:and|but|so|well|also),? )?(?!(?:how|what|which|who|where|when|why|is|are|does|do|did|can|could|will|would)\b)(?:[\p{L}'’-]+ ){1,4}(?:says?|said|claims?|claimed|swears?|swore|thinks?|insists?|promised|mentioned|warns|warned|told (?:me|us)|(?:keeps? )?ask(?:s|ed|ing)?(?: me| us)?(?: about)?|(?:wants?|wanted|needs?|needed) to know(?: about)?) (?:that )?/iu;

const tagsOf = (text: string): ReturnType<typeof nlp> => nlp(text.slice(0, MAX_TAGGED));

function mannerOf(text: string): Manner {
  if (BEGINS.test(text) || text.endsWith('?') || WISH.test(text) || ASKS_WITHIN.test(text)) return 'asks';
  // Few words only name a thing.
  const isLong = text.split(/\s+/).length >= LEAST_TOLD;
  if (isLong && REPORTER.test(text)) return 'tells';
  if (isLong && [TELLER, SUBJECTLESS].some(way => tagsOf(text.replace(GREETING, '')).has(way))) return 'tells';
  return /^(?:for|as|since|because|if|given|considering|with|para|como|si)\b/i.test(text) ? 'names' : 'asks';
}

/** Splits a sentence where a joint is followed by the beginning of another question. */
function segmentsOf(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  for (;;) {
    let from = 0;
    let match: RegExpExecArray | null = null;
    for (;;) {
      match = JOINT.exec(rest.slice(from));
      if (!match || JOINED.test(match[0])) break;
      from += match.index + Math.max(1, match[0].length);
    }
    if (!match || from + match.index === 0) return [...pieces, rest];
    pieces.push(rest.slice(0, from + match.index));
    rest = rest.slice(from + match.index + match[0].length);
  }
}

/** A telling that a colon ends, and what is asked behind it; the sentence as it is for none. */
function atColon(sentence: string): string[] {
  const [, head, rest] = /^([^:?]{8,}):\s+(.+)$/su.exec(sentence) ?? [];
  if (head === undefined || rest === undefined || BEGINS.test(head) || WISH.test(head) || ASKS_WITHIN.test(head))
    return [sentence];
  return [TELLER, SUBJECTLESS].some(way => tagsOf(head).has(way)) ? [`${head}.`, rest] : [sentence];
}

/** The segments of a question, in their order. */
export function readSegments(question: string): Segment[] {
  return question
    .normalize('NFKC')
    .replace(OF_ASKER, '')
    .replace(REPORTED, '. ')
    .split(SENTENCE)
    .flatMap(text => (text ? atColon(text) : []))
    .flatMap((text, sentence) => (text ? segmentsOf(text).map(piece => ({ piece: piece.trim(), sentence })) : []))
    .filter(({ piece }) => /[\p{L}\p{N}]/u.test(piece))
    .slice(0, MAX_SEGMENTS)
    .map(({ piece, sentence }) => {
      // Tagging takes longest by far, and most segments are planned without it.
      let tags: Segment['tagged'] | undefined;
      return {
        text: piece,
        sentence,
        manner: mannerOf(piece),
        get tagged() {
          tags ??= tagsOf(piece);
          return tags;
        },
      };
    });
}
