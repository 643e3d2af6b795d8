import type { Evidence, Unsupported } from '../backend.ts';
import { folded } from '../retrieval/words.ts';
import { type Clause, clausesOf, denials, isSupposed, mattersOf, normalized, shared } from './clauses.ts';
import { claimOf } from './matter.ts';
import { numbersIn } from './number.ts';

/** A subject that can only be the place. */
const OF_PLACE =
  /\b(?:it|it's|this|that|the (?:point|place|site|spot|location|address|ground|land|lot|property|parcel|home|house|area)|you|you're|here|there|nothing|nobody|no|none|yes)\b/i;
const ADVICE =
  /\b(?:should|ask|check|order|confirm|verify|consider|note|may|might|could|can|source|data|map(?!ped)|survey|dataset|dates?|dated|published|updated)\b/i;
const NOT_IN_ATTAINMENT = /\b(?:meets?|met|attains?|attained|(?<!non-?)attainment|compl(?:y|ies))\b/i;

/** A clause without the words that deny in the claim itself, such as those for ground outside another zone. */
function withoutOwnDenials(clause: string, claim: string): string {
  const own = claim.matchAll(/\b(?:outside|not|no|without|beyond)\s+(?:the |an? |any )?([\p{L}-]+)/giu);
  let rest = clause;
  for (const [, word] of own)
    rest = rest.replace(
      new RegExp(`\\b(?:outside|not|no|without|beyond)\\s+(?:the |an? |any )?(?=${word}\\b)`, 'giu'),
      '',
    );
  return rest;
}

const isOdd = (count: number): boolean => count % 2 === 1;

/** What follows from a yes or a no, by the hint: each clause with the answer that it belongs to. */
function consequencesOf({
  hint,
}: Evidence): { readonly answer: boolean; readonly words: ReadonlySet<string>; readonly denied: boolean }[] {
  return normalized(hint)
    .split(/(?<=[.;])\s+/)
    .flatMap(piece => {
      const [, answer, text] = /^(true|false)\b(.*)$/i.exec(piece) ?? [];
      if (!answer) return [];
      return clausesOf(text!).map(clause => ({
        answer: /true/i.test(answer),
        words: mattersOf(clause.text),
        denied: clause.denied,
      }));
    });
}

const saysValue = ({ text }: Clause, { record: { value } }: Evidence): boolean =>
  typeof value === 'string' ? folded(text).includes(folded(value)) : numbersIn(text).length > 0;

/** Share of the matters of a clause that a consequence must name for the clause to be about it. */
const ABOUT = 0.5;

/** Whether a clause says the opposite of a yes or no that it is about; null when it is not about it. */
function contradicts(clause: Clause, one: Evidence, others: readonly Evidence[]): boolean | null {
  const claim = normalized(claimOf(one));
  const words = mattersOf(clause.text);
  const claimed = mattersOf(`${one.title} ${claim}`);
  const inClaim = shared(words, claimed);
  const value = one.record.value as boolean;
  const consequence = consequencesOf(one)
    .map(each => ({ ...each, count: shared(words, each.words) }))
    .sort((a, b) => b.count - a.count)[0];
  if (consequence && consequence.count > inClaim && consequence.count >= ABOUT * words.size)
    return (clause.denied === consequence.denied) !== (consequence.answer === value);
  if (inClaim === 0) return null;
  // Of several records, the clause is about the one of which it names most.
  const isOther = (other: Evidence) => {
    const own = shared(words, mattersOf(`${other.title} ${claimOf(other)}`));
    return typeof other.record.value === 'boolean'
      ? own > inClaim
      : own >= inClaim && own > 0 && saysValue(clause, other);
  };
  if (others.some(isOther)) return null;
  const text = withoutOwnDenials(clause.text, claim);
  const attained = /nonattainment/i.test(claim) && NOT_IN_ATTAINMENT.test(text) ? 1 : 0;
  return isOdd(denials(text, true) + attained) === value;
}

const fault = (what: string): Unsupported => ({ what, kind: 'polarity' });

/** Finds the clause that says yes where a record says no, or the other way around. */
export function deniedFlag(clauses: readonly Clause[], cited: readonly Evidence[]): Unsupported | null {
  const flags = cited.filter(({ record }) => record.status === 'ok' && typeof record.value === 'boolean');
  const claiming = clauses.filter(({ text }) => !isSupposed(text));
  let judged = 0;
  for (const one of flags) {
    const others = cited.filter(other => other !== one);
    for (const clause of claiming) {
      const against = contradicts(clause, one, others);
      if (against) return fault(clause.text);
      if (against === false) judged++;
    }
  }
  const [only] = flags;
  if (!only || judged > 0 || flags.some(({ record }) => record.value !== only.record.value)) return null;
  const [, answer] = /^(yes|no)\b(?=[\s,.:;—–!-]|$)/i.exec(claiming[0]?.text ?? '') ?? [];
  if (answer && /^yes$/i.test(answer) !== only.record.value) return fault(answer);
  if (answer || flags.length !== cited.length) return null;
  // Nothing but the record can be meant where nothing else is cited.
  const first = claiming.find(
    ({ text }) => OF_PLACE.test(text) && /\p{L}+\P{L}+\p{L}/u.test(text) && !ADVICE.test(text),
  );
  return first && first.denied === only.record.value ? fault(first.text) : null;
}

const AMOUNTS: readonly (readonly [RegExp, (count: number) => boolean])[] = [
  [/\b(?:several|many|multiple|numerous|various|plenty of|a number of|a handful of)\b/i, count => count >= 2],
  [/\b(?:a few|some|a couple)\b(?! (?:dozen|hundred|thousand|\d))/i, count => count >= 1],
  [
    /(?<!no (?:more|fewer|less) than |not |no |least |most |than )\b(?:(?:just|only|exactly) one|a single|(?<!-)one)\b(?!-| (?:of|in|or|mile|kilomet\w+|year|hundred|thousand|million|billion|acre|such)\b)/i,
    count => count === 1,
  ],
  [/\bnot (?:a single |one\b|any\b)/i, count => count === 0],
  [/(?<!a couple of |couple )\bdozens\b/i, count => count >= 24],
  [/\bhundreds\b/i, count => count >= 200],
  [/\bthousands\b/i, count => count >= 2000],
];
const COMPARES =
  /\b(?:more|less|fewer|greater|higher|lower) than\b|\bat (?:least|most)\b|\bexceed\w*|\bover\b|\bunder\b|\babove\b|\bbelow\b|\bup to\b/i;

/** Finds the clause that says some where a record counts none, or none where it counts some. */
export function deniedCount(clauses: readonly Clause[], cited: readonly Evidence[]): Unsupported | null {
  const counts = cited.filter(({ record }) => record.unit === 'count' && typeof record.value === 'number');
  for (const one of counts) {
    const { value } = one.record as { value: number };
    const words = mattersOf(`${one.title} ${claimOf(one)}`);
    for (const { text } of clauses.filter(({ text }) => !isSupposed(text))) {
      if (shared(mattersOf(text), words) === 0) continue;
      if (
        counts.some(
          other =>
            other !== one &&
            shared(mattersOf(text), mattersOf(other.title)) >= shared(mattersOf(text), mattersOf(one.title)),
        )
      )
        continue;
      const wrong = AMOUNTS.find(([pattern, fits]) => pattern.test(text) && !fits(value));
      if (wrong) return fault(text);
      const denied = isOdd(denials(text, false)) || /\b0\b/.test(text);
      const compares =
        COMPARES.test(text) ||
        /\d/.test(
          text.replace(
            /\b(?:within|in|over|of|past|last|category|magnitude)\s+(?:the (?:past|last) )?[\d.,]+\+?/gi,
            '',
          ),
        );
      if (value === 0 ? !denied && !compares : denied && !compares) return fault(text);
    }
  }
  return null;
}
