import type { ColumnExpression } from '../../../datasets/place/place.ts';
import type { Fields, GuessedColumn } from './guess.ts';
import { share } from './looks.ts';
import { compact, wordsOf } from './names.ts';
import { presentIn } from './profile.ts';
import { translate } from './vocabulary.ts';

const SQUARE_FEET_PER_ACRE = 43_560;
/** Factor of the score of a guess that follows from another guess. */
const FOLLOWS = 0.95;
/** Least share of rows in which a reference has the form of book and page. */
const REFERENCES = 0.4;

type Columns = Map<string, GuessedColumn>;

const nameOf = (expression: ColumnExpression | undefined): string | null =>
  typeof expression === 'string' ? expression : typeof expression?.from === 'string' ? expression.from : null;
const nullsOf = (expression: ColumnExpression | undefined) =>
  typeof expression === 'object' && expression.null ? { null: expression.null } : {};

/** Adds columns that follow from matched ones: forms of one number, parts of an address, groups of uses. */
export class ParcelRules {
  readonly #fields: Fields;
  readonly #columns: Columns;

  constructor(fields: Fields, columns: Columns) {
    this.#fields = fields;
    this.#columns = columns;
  }

  apply(): void {
    this.#numbers();
    this.#address();
    this.#uses();
    this.#zoning();
    this.#sizes();
    this.#references();
    this.#owner();
    this.#constants();
  }

  #profile(as: string) {
    return this.#fields.profiles.find(profile => profile.as === as);
  }

  /** Adds a column that is read from the source of another, unless it has a source of its own. */
  #follow(
    target: string,
    from: string,
    expression: (source: string) => ColumnExpression,
    note?: string,
    part = FOLLOWS,
  ) {
    const mapped = this.#columns.get(from);
    const source = nameOf(mapped?.expression);
    if (!mapped || source === null || this.#columns.has(target)) return;
    this.#columns.set(target, {
      target,
      expression: expression(source),
      score: mapped.score * part,
      sources: [source],
      notes: note ? [note] : [],
      others: [],
    });
  }

  #constant(target: string, expression: ColumnExpression, note: string) {
    if (!this.#columns.has(target))
      this.#columns.set(target, { target, expression, score: 1, sources: [], notes: [note], others: [] });
  }

  #numbers() {
    this.#follow('apn_no_formatting', 'apn', from => ({ from, strip: '[^A-Za-z0-9]' }));
    this.#follow('szip5', 'szip', from => {
      const szip = this.#columns.get('szip')!.expression;
      return { ...(typeof szip === 'object' ? szip : {}), from, slice: [0, 5] };
    });
    this.#follow('szip', 'szip5', () => this.#columns.get('szip5')!.expression);
  }

  /** Cleans the address: removes padding blanks and zeros, as in `0   DEEP HOLLOW` and `0756 BARNES ST`. */
  #address() {
    const parts = ['saddno', 'saddpref', 'saddstr', 'saddsttyp', 'saddstsuf', 'sunit'].flatMap(target => {
      const part = this.#columns.get(target);
      return part ? [part] : [];
    });
    if (!this.#columns.has('address') && this.#columns.has('saddno') && this.#columns.has('saddstr')) {
      this.#columns.set('address', {
        target: 'address',
        expression: { from: parts.map(part => part.expression) },
        score: Math.min(...parts.map(part => part.score)) * FOLLOWS,
        sources: parts.flatMap(part => part.sources),
        notes: ['put together from its parts'],
        others: [],
      });
      return;
    }
    const address = this.#columns.get('address');
    const source = nameOf(address?.expression);
    const profile = source === null ? undefined : this.#profile(source);
    if (!address || source === null || !profile) return;
    this.#follow('original_address', 'address', from => from);
    const has = (pattern: RegExp) => share(profile, value => pattern.test(String(value))) > 0;
    const strips = [
      ...(has(/^0+\s/) ? ['^0+ +'] : []),
      ...(has(/^0+[1-9]/) ? ['^0+(?=[1-9])'] : []),
      ...(has(/ {2}/) ? [' (?= )'] : []),
    ];
    if (strips.length > 0)
      this.#columns.set('address', {
        ...address,
        expression: { from: source, ...nullsOf(address.expression), strip: strips.join('|') },
      });
    const number = '^0*([1-9]\\d*(?:-\\d+)?[A-Za-z]?)\\s';
    if (share(profile, value => new RegExp(number).test(String(value))) > 0.3)
      this.#follow('saddno', 'address', from => ({ from, patterns: [{ match: number, value: '$1' }] }), undefined, 0.9);
    const saddno = this.#columns.get('saddno');
    const own = nameOf(saddno?.expression);
    if (
      saddno &&
      own !== null &&
      own !== source &&
      share(this.#profile(own)!, value => /^0+[1-9]/.test(String(value))) > 0
    )
      this.#columns.set('saddno', {
        ...saddno,
        expression: { from: own, ...nullsOf(saddno.expression), strip: '^0+(?=[1-9])' },
      });
  }

  #uses() {
    const plain = (target: string) => (from: string) => ({ from, ...nullsOf(this.#columns.get(target)!.expression) });
    const tidy = (expression: ColumnExpression) =>
      typeof expression === 'object' && Object.keys(expression).length === 1 ? String(expression.from) : expression;
    const only = 'the file has one column for the use';
    this.#follow('usecode', 'usedesc', from => tidy(plain('usedesc')(from)), only, 0.85);
    const code = nameOf(this.#columns.get('usecode')?.expression);
    const profile = code === null ? undefined : this.#profile(code);
    if (profile && share(profile, value => /[A-Za-z]{4}/.test(String(value))) > 0.7)
      this.#follow('usedesc', 'usecode', from => tidy(plain('usecode')(from)), only, 0.85);
    this.#translated('use_group', ['usedesc', 'usecode', 'property_class']);
  }

  #zoning() {
    this.#translated('zoning_type', ['zoning_description', 'zoning']);
  }

  #translated(target: string, from: readonly string[]) {
    for (const name of from) {
      const mapped = this.#columns.get(name);
      const source = nameOf(mapped?.expression);
      const profile = source === null ? undefined : this.#profile(source);
      if (!mapped || !profile || this.#columns.has(target)) continue;
      const said = translate(`${this.#fields.key}.${target}`, profile, [], profile.as);
      if (!said || said.share < 0.1) continue;
      const left = said.left.slice(0, 8).join(', ');
      this.#columns.set(target, {
        target,
        expression: said.expression,
        score: mapped.score * (0.5 + 0.4 * said.share),
        sources: [profile.as],
        notes: left ? [`becomes null: ${left}`] : [],
        others: [],
      });
    }
  }

  #sizes() {
    this.#follow('recrdareano', 'deeded_acres', from => ({
      from,
      ...nullsOf(this.#columns.get('deeded_acres')!.expression),
      scale: SQUARE_FEET_PER_ACRE,
    }));
    this.#follow('deeded_acres', 'recrdareano', from => ({
      from,
      ...nullsOf(this.#columns.get('recrdareano')!.expression),
      scale: 1 / SQUARE_FEET_PER_ACRE,
    }));
  }

  /** Splits book and page in one column: `B1234 P56`, `1234/56`, `1234-56`. */
  #references() {
    if (this.#columns.has('book') || this.#columns.has('page')) return;
    for (const profile of this.#fields.profiles) {
      const words = wordsOf(profile.name);
      const named =
        words.includes('deed') || words.includes('book') || /bkpg|bookpage|deedref/.test(compact(profile.name));
      if (!named || presentIn(profile) === 0) continue;
      for (const [form, book, page] of [
        [/^B\d+ ?P\d+/, '^B(\\d+) ?P\\d+', '^B\\d+ ?P(\\d+)'],
        [/^\d{1,6}\s*[/-]\s*\d{1,5}$/, '^(\\d+)\\s*[/-]', '^\\d+\\s*[/-]\\s*(\\d+)'],
      ] as const) {
        const part = share(profile, value => form.test(String(value)));
        if (part < REFERENCES) continue;
        for (const [target, match] of [
          ['book', book],
          ['page', page],
        ] as const)
          this.#columns.set(target, {
            target,
            expression: { from: profile.as, patterns: [{ match, value: '$1' }] },
            score: 0.6 + 0.3 * part,
            sources: [profile.as],
            notes: [],
            others: [],
          });
        return;
      }
    }
  }

  #owner() {
    this.#follow('unmodified_owner', 'owner', from => from);
  }

  #constants() {
    const { state, county, countyName } = this.#fields.area;
    if (county) this.#constant('geoid', { const: county }, 'the county');
    if (state) this.#constant('state2', { const: state }, 'the state');
    if (countyName) this.#constant('county', { const: countyName }, 'the county');
    const total = nameOf(this.#columns.get('parval')?.expression);
    const basis = total === null ? [] : wordsOf(total);
    for (const [word, value] of [
      ['assessed', 'assessed'],
      ['appraised', 'appraised'],
      ['market', 'market'],
    ] as const)
      if (basis.includes(word))
        this.#constant('parvaltype', { const: value, when: `\`${total}\` is not null` }, `said by the name ${total}`);
  }
}
