import type { AreaRecord } from '../../../query/engine/site/ground-task.ts';
import type { AreaStatistics, Unsaid, ValueShare } from '../../../query/evaluate/area/area.ts';
import { capital, quoted, valueSaid, withCommas } from '../write/phrase.ts';
import { inSpanish, spanishTitle } from '../write/spanish.ts';
import { SPANISH_VERDICTS } from '../write/spanish-verdicts.ts';
import {
  type Described as Definition,
  isOfAcres,
  isOfValue,
  LEAST_SHARE,
  MAX_SHARES,
  percent,
  type Telling,
} from './area-sentences.ts';
import { largestOf } from './statistic.ts';

/** The parts of a field's definition that its area form is told with, and its name. */
type Described = Definition & { readonly name: string };

/** Acres in Spanish, in hundredths. */
const acresInSpanish = (acres: number): string => `${withCommas(Number(acres.toFixed(2)))} acres`;

/** A title without the distance within which its point form looks. */
const groundOf = (field: Described): string => spanishTitle(field).replace(/ (?:alrededor|al lado)$/, '');

function ofBoth({ share, acres }: Pick<ValueShare, 'share' | 'acres'>, question: string): string {
  const both = [inSpanish(percent(share)), acresInSpanish(acres)];
  const [first, second] = isOfAcres(question) ? both.reverse() : both;
  return `${first} (${second})`;
}

/** Of how much of a site nothing is said, and why. */
const UNSAID: readonly (readonly [keyof Unsaid, string])[] = [
  ['unmapped', 'no está en el mapa de la fuente, y no se sabe nada de esa parte'],
  ['unknown', 'no se conoce: la fuente no lo dice'],
  ['without_value', 'no tiene valor en la fuente'],
  ['uncovered', 'no está en ningún área de la fuente'],
];

function unsaidSentences(statistics: AreaStatistics): string[] {
  if (statistics.kind === 'distance') return [];
  const told: Partial<Unsaid> = statistics.kind === 'covered' ? { ...statistics, uncovered: 0 } : { ...statistics };
  return UNSAID.flatMap(([what, said]) =>
    (told[what] ?? 0) < LEAST_SHARE ? [] : [`De todo el sitio, ${inSpanish(percent(told[what]!))} ${said}.`],
  );
}

/** What the area form of a field says of a site in Spanish, in sentences: what is asked first. */
export function areaSentencesInSpanish(field: Described, area: AreaRecord, telling: Telling): string[] {
  const { statistics } = area;
  if (area.status !== 'ok' || statistics === null)
    return [
      area.status === 'failed'
        ? `No se pudo leer ${spanishTitle(field)} de todo el sitio.`
        : `No se sabe aquí ${spanishTitle(field)} de todo el sitio: la fuente no tiene datos.`,
    ];
  return [...valueSentences(field, statistics, telling), ...unsaidSentences(statistics)];
}

function shareSentences(field: Described, shares: readonly ValueShare[], { statistic, question }: Telling): string[] {
  const numbers = shares.filter(({ value }) => typeof value === 'number') as (ValueShare & { value: number })[];
  const sorted = numbers.toSorted((a, b) => a.value - b.value);
  const extreme = statistic === 'least' ? sorted[0] : statistic === 'most' ? sorted.at(-1) : undefined;
  if (extreme)
    return [
      `Como ${statistic === 'least' ? 'mínimo' : 'máximo'}, ${groundOf(field)} en el sitio es ${saidOf(extreme.value, field, question)}, en ${ofBoth(extreme, question)}.`,
    ];
  const named = shares.filter(share => isOfValue(share, question));
  const largest = (named.length > 0 ? named : largestOf(shares)).slice(0, MAX_SHARES);
  if (largest.length === 0) return [`En todo el sitio ${groundOf(field)} no tiene valor.`];
  const parts = largest.map(({ value, ...one }) => `${quoted(String(value))} en ${ofBoth(one, question)}`);
  return [`En todo el sitio ${groundOf(field)} es ${parts.join(', ')}.`];
}

function saidOf(value: number, { unit, title }: Described, question: string): string {
  const record = { value, unit } as Parameters<typeof valueSaid>[0]['record'];
  const { text, aside } = valueSaid({ record, title }, question);
  return inSpanish(`${text}${aside}`);
}

function valueSentences(field: Described, statistics: AreaStatistics, telling: Telling): string[] {
  const { question, statistic, value, name } = telling;
  const inUnit = (number: number) => saidOf(number, field, question);
  const subject = groundOf(field);
  const around = () =>
    typeof value === 'number' && / within [\d.,]+ k?m$/.test(field.title)
      ? [`Alrededor de su punto interior es ${inUnit(value)}.`]
      : [];
  switch (statistics.kind) {
    case 'shares':
      return shareSentences(field, statistics.shares, telling);
    case 'covered': {
      const matter = SPANISH_VERDICTS.get(field.name)?.matter;
      const both = ofBoth(statistics, question);
      return subject.startsWith('la parte ') || matter === undefined
        ? [`${capital(subject)} en todo el sitio es ${both}.`]
        : [`De todo el sitio, en ${both} ${matter.replace(/\bel lugar\b/, 'el terreno')}.`];
    }
    case 'range': {
      const { min, mean, max, classes } = statistics;
      if (statistic === 'share' && classes) return shareSentences(field, classes, { ...telling, statistic: null });
      if (/^Local relief/.test(field.title))
        return [`En el sitio ${subject} es ${inUnit(Number((max - min).toFixed(3)))}.`];
      const extreme = { least: ['mínimo', min], most: ['máximo', max], mean: ['promedio', mean] } as const;
      const [word, number] = statistic !== null && statistic in extreme ? extreme[statistic as 'mean'] : [null, mean];
      if (word === null)
        return [
          `En todo el sitio ${subject} es ${inUnit(min)} como mínimo, ${inUnit(mean)} en promedio y ${inUnit(max)} como máximo.`,
        ];
      return [`${word === 'promedio' ? 'En' : 'Como'} ${word}, ${subject} en el sitio es ${inUnit(number)}.`];
    }
    case 'count':
      return [`En el propio sitio ${subject} es ${withCommas(statistics.count)}.`, ...around()];
    case 'sum':
    case 'max':
      return [`En el propio sitio ${subject} es ${inUnit(statistics.value)}.`, ...around()];
    case 'distance': {
      const named =
        typeof name === 'string' && typeof value === 'number'
          ? [`Desde su punto interior, donde ${quoted(name)} es lo más cercano, la distancia es ${inUnit(value)}.`]
          : [];
      return [`Desde el límite del sitio, ${subject} es ${inUnit(statistics.metres)}.`, ...named];
    }
  }
}
