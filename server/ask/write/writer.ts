import type { Catalog } from '../../../datasets/catalog.ts';
import { type Verdict, type VerdictRule, verdictOf } from '../../../datasets/verdict.ts';
import type { Evidence, Part, Sentence, Task } from '../backend.ts';
import { unsupportedIn } from '../check/check.ts';
import { comparison, limitedBy } from './comparison.ts';
import { tongueOf } from './language.ts';
import { isUpperBound, quoted, wordCount } from './phrase.ts';
import { remarksOn } from './remarks.ts';
import type { Decided, Tongue } from './tongue.ts';

/** Most words of an answer about one place. What each part asks is told even past them. */
const MAX_WORDS = 90;
/** Words kept for the place and the date of the data. */
const CLOSING = 20;
/** Most values that are told beside those that answer. */
const MAX_REASONS = 3;
/** Most values of an overview, which names no matter of its own. */
const MAX_OVERVIEW = 8;
/** Fields of which one parcel differs from the next. */
const OF_GROUND = /^(?:elevation|slope|local_relief|tree_canopy|parcel_area|wind_speed)|_distance_m$/;
/** Least share of the parcels that a value is told to stand above or below. */
const TELLING = 0.6;
/** Most fields that are named for having no value. */
const MAX_GAPS = 3;

/** Asks for a value rather than for a judgement. */
const OF_VALUE =
  /^(?:\P{L}*(?:and|so|hi|hey|ok|please|y)\b)*\P{L}*(?:how\b|what(?:'s| is| are)?\b|which|who|whose|where|when|cu[aá]l|cu[aá]nt|qu[eé]|qui[eé]n|d[oó]nde|cu[aá]ndo)/iu;

/** Asks for a code rather than for a name. */
const OF_CODE = /\b(?:codes?|numbers?|ids?|huc\w*|c[oó]digo|n[uú]mero)\b/i;

/** A field that the writer may tell, with its verdict where it decides something. */
interface Told {
  readonly one: Evidence;
  readonly rule: VerdictRule | null;
  readonly verdict: Verdict | null;
}

/** A sentence as the middle of another. Inside one a capital would make a name of its first word, which no record says. */
const inner = (text: string): string =>
  /^\p{Lu}(?:\p{Ll}+)?\b/u.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text;

/** A sentence that names its place, when that is not the place asked about. */
const located = ({ at }: Evidence, text: string): string => (at === undefined ? text : `${at}, ${inner(text)}`);

/** Whether a record tells of a site rather than of a place. */
const isOfSite = ({ area, at, over }: Evidence): boolean => area.length > 0 || at !== undefined || over !== undefined;
/** The field with the name of the thing that a distance field measures to, and the other way around. */
const nameFieldOf = (field: string): string => field.replace(/_distance_m$/, '_name');
const distanceFieldOf = (field: string): string => field.replace(/_name$/, '_distance_m');

/** A verdict on the distance of a thing with its name; null where it does not begin with the thing. */
const withName = (text: string, name: string): string | null => {
  const [, thing] = /^((?:The|El|La) [^,;:]+?) (?:is|está) (?!mapped)/.exec(text) ?? [];
  return thing === undefined ? null : `${thing}, ${quoted(name)},${text.slice(thing.length)}`;
};

/** A title without what stands in brackets: slopes in degrees and in percent are one matter. */
const matterOf = ({ title }: Evidence): string => title.replace(/ \([^)]*\)$/, '');

/** Sentences as one. */
function joined(sentences: readonly Sentence[]): Sentence {
  const [first, ...others] = sentences.map(({ text }) => text);
  return {
    text: `${[first!, ...others.map(inner)].join('; ')}.`,
    fields: sentences.flatMap(({ fields }) => fields),
  };
}

/** Writes the sentences of one task. */
class Writer {
  readonly #catalog: Catalog;
  readonly #task: Task;
  readonly #tongue: Tongue;
  readonly #by: ReadonlyMap<string, Evidence>;
  /** Fields and matters that were told. */
  readonly #told = new Set<string>();

  /** Whether a value is told beside a limit, which is comparison enough. */
  #isLimited = false;

  constructor(catalog: Catalog, task: Task) {
    this.#catalog = catalog;
    this.#task = task;
    this.#tongue = tongueOf(task.question);
    this.#by = new Map(task.evidence.map(one => [one.field, one]));
  }

  #ok(field: string): Evidence | null {
    const one = this.#by.get(field);
    return one?.record.status === 'ok' ? one : null;
  }

  #ruleOf = (field: string): VerdictRule | null => this.#catalog.fields.get(field)?.verdict ?? null;

  /** Fields of a part that have a value nobody was told yet, best first. */
  #tellable(fields: readonly string[]): Told[] {
    return fields.flatMap(field => {
      const one = this.#ok(field);
      // The sentence about its distance names it.
      const distance = distanceFieldOf(field);
      if (!one || this.#told.has(field) || (distance !== field && fields.includes(distance) && this.#ok(distance)))
        return [];
      const rule = this.#ruleOf(field);
      return [{ one, rule, verdict: rule && verdictOf(rule, one.record) }];
    });
  }

  /** Whether the same was told by another field. */
  #isRepeated = ({ one, rule }: Told): boolean =>
    this.#told.has(matterOf(one)) ||
    (rule !== null && typeof one.record.value === 'boolean' && this.#told.has(rule.matter));

  /** What one field says, and marks it as told. */
  #say({ one, rule, verdict }: Told, clause: string, decides: boolean): Sentence {
    const nameField = nameFieldOf(one.field);
    const name = nameField !== one.field && this.#by.has(nameField) ? this.#ok(nameField) : null;
    const decided = rule && verdict ? { ...verdict, rule } : null;
    const judged = decided && this.#judged(one, decided, clause);
    const called = judged && name ? withName(judged, String(name.record.value)) : judged;
    const text = called ?? this.#tongue.statement(one, name, clause, decides);
    const fields = name ? [one.field, name.field] : [one.field];
    for (const told of [...fields, matterOf(one), ...(rule ? [rule.matter] : [])]) this.#told.add(told);
    return { text, fields };
  }

  /** A verdict, with how near the line is where the check can tell that from a claim on the value. */
  #judged(one: Evidence, decided: Decided, clause: string): string {
    const text = this.#tongue.verdict(one, decided, clause);
    const holds = decided.edge === null || unsupportedIn({ text, fields: [one.field] }, [one], this.#catalog) === null;
    return holds ? text : this.#tongue.verdict(one, { ...decided, edge: null }, clause);
  }

  /** What one field of a site says: of the whole, else at its interior point. */
  #ofSite({ one }: Told, clause: string): Sentence[] {
    const whole = one.area.map(text => ({ text, fields: [one.field] }));
    if (one.over !== undefined) {
      this.#told.add(one.field);
      this.#told.add(matterOf(one));
      return whole;
    }
    const { text, fields } = this.#say({ one, rule: null, verdict: null }, clause, false);
    return [{ text: `${located(one, text)}.`, fields }, ...whole];
  }

  /** What further fields of a part say of a site, within the words left. */
  #moreOfSite({ fields, text }: Part, words: number): Sentence[] {
    const more: Sentence[] = [];
    for (const told of this.#tellable(fields)) {
      if (!isOfSite(told.one) || this.#isRepeated(told)) continue;
      const sentences = [...more, ...this.#ofSite(told, text)];
      if (wordCount(sentences.map(sentence => sentence.text).join(' ')) > words) break;
      more.splice(0, more.length, ...sentences);
    }
    return more;
  }

  /** The sentence that answers a part, with what would settle it. */
  #head(part: Part, told: readonly Told[]): Sentence[] {
    const { text: clause } = part;
    const limited = limitedBy(
      part,
      told.map(({ one }) => one),
    );
    const isFit = ({ verdict }: Told) => verdict !== null && verdict.outcome !== 'unknown';
    const named = told.find(({ one }) => one.field === `${told[0]?.one.field}_name`);
    const first =
      told.find(({ one }) => one === limited?.one) ??
      // What has a name and a code is called by its name.
      (OF_CODE.test(clause) ? undefined : named) ??
      (OF_VALUE.test(clause) ? told[0] : (told.find(isFit) ?? told[0]));
    if (!first) return [];
    if (isOfSite(first.one)) return this.#ofSite(first, clause);
    this.#isLimited ||= limited !== null;
    const head = this.#say(limited ? { ...first, rule: null } : first, clause, true);
    const text = limited ? this.#tongue.beside(head.text, limited.relation, limited.limit) : head.text;
    return [{ text: `${text}.`, fields: head.fields }];
  }

  /** Where the value of a first sentence stands among those of the parcels, where that says something. */
  #standing([head]: readonly Sentence[]): Sentence[] {
    const one = head?.fields[0] === undefined || this.#isLimited ? null : this.#ok(head.fields[0]);
    if (!one?.standing || !OF_GROUND.test(one.field) || isUpperBound(one)) return [];
    if (Math.max(one.standing.share, one.standing.above) < TELLING) return [];
    const text = this.#tongue.standing(one);
    return text === null ? [] : [{ text: `${text}.`, fields: [one.field] }];
  }

  /** What a part asks of the data behind its first value. */
  #ofSource({ ofSource, fields }: Part): Sentence[] {
    const one = fields.map(field => this.#ok(field)).find(one => one !== null);
    if (!ofSource || !one) return [];
    return ofSource.map(asked => ({ text: `${this.#tongue.ofSource(asked, one)}.`, fields: [one.field] }));
  }

  /** What of a part is not known, where its answer is about another matter than what was asked. */
  #instead({ fields, standIn }: Part): Sentence[] {
    const matter = standIn === undefined ? null : (this.#ruleOf(standIn)?.matter ?? null);
    if (standIn === undefined || fields.some(field => field !== standIn && this.#ruleOf(field)?.matter === matter))
      return [];
    return this.#gaps(fields.filter(field => field !== standIn));
  }

  /** How a verdict that stays open is settled. */
  #settling(heads: readonly Sentence[]): string | null {
    const [first] = heads.flatMap(({ fields }) => fields);
    const rule = first === undefined ? null : this.#ruleOf(first);
    const one = first === undefined ? null : this.#ok(first);
    if (!rule || !one || isOfSite(one)) return null;
    const { outcome } = verdictOf(rule, one.record);
    return outcome === 'line' || outcome === 'unknown' ? `${this.#tongue.settle(rule.settledBy, one.field)}.` : null;
  }

  /** Values beside those that answer, as one sentence within the words left. */
  #reasons(parts: readonly Part[], isOverview: boolean, words: number): Sentence[] {
    const most = isOverview ? MAX_OVERVIEW : MAX_REASONS;
    const rank = ({ verdict }: Told) => (verdict === null || verdict.outcome === 'no' ? 1 : 0);
    const tellable = parts.flatMap(({ text, fields }) => {
      const told = this.#tellable(fields).filter(({ one }) => !isOfSite(one));
      return (isOverview ? told.sort((a, b) => rank(a) - rank(b)) : told).map(one => ({ clause: text, told: one }));
    });
    let said: Sentence[] = [];
    let left = words;
    for (const { clause, told } of tellable) {
      if (said.length === most || this.#told.has(told.one.field) || this.#isRepeated(told)) continue;
      const sentence = this.#say(told, clause, false);
      left -= wordCount(sentence.text);
      if (left < 0) break;
      const longer = [...said, sentence];
      // Beside others a value may read as theirs.
      if (unsupportedIn(joined(longer), this.#task.evidence, this.#catalog) === null) said = longer;
    }
    return said.length === 0 ? [] : [joined(said)];
  }

  /** Whether a No that was told says why a field has no value: outside tribal land there is no name of one. */
  #isDenied(field: string): boolean {
    return [...this.#told].some(
      name =>
        name.startsWith('within_') &&
        field.startsWith(name.slice('within_'.length)) &&
        this.#by.get(name)?.record.value === false,
    );
  }

  /** One sentence for each reason for which a part has no answer at all. */
  #gaps(fields: readonly string[]): Sentence[] {
    const without = fields.flatMap(field => {
      const one = this.#by.get(field);
      return one && one.record.status !== 'ok' && !this.#told.has(field) && !this.#isDenied(field) ? [one] : [];
    });
    const groups = Map.groupBy(without, ({ record: { status, notes, error, retryable } }) =>
      JSON.stringify(status === 'failed' ? [error, retryable] : notes),
    );
    return [...groups.values()].slice(0, MAX_GAPS).map(group => {
      const [first] = group as [Evidence];
      for (const { field } of group) this.#told.add(field);
      const rule = group.length === 1 ? this.#ruleOf(first.field) : null;
      return { text: `${this.#tongue.gap(group, rule)}.`, fields: group.map(({ field }) => field) };
    });
  }

  written(): Sentence[] {
    const { question, plan } = this.#task;
    // A part whose fields another has told says nothing new.
    const told = new Set<string>();
    const parts = plan.parts.filter(({ fields, limit, ofSource }) => {
      const isNew = fields.length === 0 || fields.some(field => !told.has(field)) || limit || ofSource;
      for (const field of fields) told.add(field);
      return isNew;
    });
    // Fields that a preset or a model planned in addition to the parts.
    const more = plan.fields.filter(field => !parts.some(part => part.fields.includes(field)));
    if (more.length > 0) parts.push({ text: question, fields: more, unknown: [], enrichment: [] });
    const heads: Sentence[] = [];
    const gaps: Sentence[] = [];
    const answered: Part[] = [];
    const isOne = parts.length === 1 && plan.preset === null;
    for (const part of parts) {
      const head = this.#head(
        part,
        this.#tellable(part.fields).filter(one => !this.#isRepeated(one)),
      );
      if (head.length > 0) {
        heads.push(...this.#instead(part), ...head, ...(isOne ? this.#standing(head) : []), ...this.#ofSource(part));
        answered.push(part);
      } else gaps.push(...this.#gaps(part.fields));
    }
    for (const part of answered)
      heads.push(...this.#moreOfSite(part, MAX_WORDS - CLOSING - wordCount(heads.map(({ text }) => text).join(' '))));
    const compared = parts.some(({ limit }) => limit)
      ? null
      : comparison(
          question,
          parts.map(({ fields }) => fields.flatMap(field => this.#ok(field) ?? [])),
        );
    if (compared) heads.unshift(compared);
    const settling = this.#settling(heads);
    const taken = [...heads.map(({ text }) => text), ...gaps.map(({ text }) => text), ...remarksOn(this.#task)];
    const left = MAX_WORDS - CLOSING - wordCount([...taken, settling ?? ''].join(' '));
    const isOverview = plan.preset !== null;
    const reasons = this.#reasons(answered, isOverview, left);
    const ends = settling === null ? [] : [{ text: settling, fields: heads[0]!.fields }];
    return [
      ...heads,
      ...reasons,
      ...gaps,
      ...ends,
      ...this.#openMatters(answered, left - wordCount(reasons[0]?.text ?? '')),
    ];
  }

  /** Fields of answered parts that decide and have no value. */
  #openMatters(parts: readonly Part[], words: number): Sentence[] {
    const group = parts
      .flatMap(({ fields }) => fields)
      .flatMap(field => this.#by.get(field) ?? [])
      .filter(one => one.record.status !== 'ok' && !this.#told.has(one.field) && !this.#told.has(matterOf(one)))
      .filter(({ field }) => {
        const rule = this.#ruleOf(field);
        return rule !== null && !this.#told.has(rule.matter);
      });
    if (group.length === 0) return [];
    const text = `${this.#tongue.missing(group)}.`;
    return wordCount(text) > words ? [] : [{ text, fields: group.map(({ field }) => field) }];
  }
}

/**
 * Writes an answer from records alone: for each part one sentence that answers, the verdict first; then at most three values as
 * reasons; then what is not known and how to get it. Every sentence cites its records. About a place it has at most 90 words with
 * the remarks, unless more parts are asked than fit.
 */
export const writtenFrom = (catalog: Catalog, task: Task): Sentence[] => new Writer(catalog, task).written();
