import { catalog } from '../../../datasets/catalog.ts';
import type { VerdictRule } from '../../../datasets/verdict.ts';
import type { Evidence, Part } from '../backend.ts';
import { isOpen, pastYear } from './english.ts';
import { capital, forReaders, listed, quoted, sourceSaid, valueSaid } from './phrase.ts';
import { SPANISH_TITLES } from './spanish-titles.ts';
import { SPANISH_VERDICTS } from './spanish-verdicts.ts';
import type { Decided, Relation, Tongue } from './tongue.ts';

/** Most things that a sentence lists. */
const MAX_LISTED = 3;

/** Units and words of values. What Spanish readers write as a sign stays one. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bat most\b/, 'como máximo'],
  [/\bsquare feet\b/g, 'pies cuadrados'],
  [/\bsquare meters\b/g, 'metros cuadrados'],
  [/\bmeters per second\b/g, 'm/s'],
  [/\bmiles per hour\b/g, 'mph'],
  [/ \([^)]*cubic meters[^)]*\)/g, ''],
  [/\bcubic feet (?:per|a) second\b/g, 'cfs'],
  [/\bdegrees Fahrenheit\b/g, '°F'],
  [/\bdegrees Celsius\b/g, '°C'],
  [/\bdegrees\b/g, 'grados'],
  [/ percent\b/g, '%'],
  [/\bkilometers\b/g, 'km'],
  [/\bcentimeters\b/g, 'cm'],
  [/\bmillimeters\b/g, 'mm'],
  [/\bmeters\b/g, 'metros'],
  [/\bmiles\b/g, 'millas'],
  [/\bfeet\b/g, 'pies'],
  [/\binches\b/g, 'pulgadas'],
  [/\bpeople\b/g, 'habitantes'],
  [/\bjobs\b/g, 'empleos'],
  [/\bdays a year\b/g, 'días al año'],
  [/\bminutes\b/g, 'minutos'],
  [/\bhours\b/g, 'horas'],
  [/\bdays\b/g, 'días'],
  [/\byears\b/g, 'años'],
  [/\ba year\b/g, 'al año'],
  [/ \(a national percentile\)/g, ' (percentil nacional)'],
];

/** A value with its unit in Spanish. */
export const inSpanish = (text: string): string => WORDS.reduce((said, [unit, word]) => said.replace(unit, word), text);

/** A day, which Spanish readers know as it stands. */
const ISO_DATE = /^\d{4}-\d\d-\d\d/;

/** What is known of a site beside its fields. */
const OF_SITE: Readonly<Record<string, string>> = {
  site_parcels: 'el número de parcelas en el sitio',
  site_acres: 'el área del sitio',
};

/** What a field is called in Spanish, as the middle of a sentence. */
export const spanishTitle = ({ name, title }: { readonly name: string; readonly title: string }): string =>
  SPANISH_TITLES.get(name) ?? catalog.fields.get(name)?.spanish ?? OF_SITE[name] ?? `el dato ${quoted(title)}`;
const titleOf = ({ field, title }: Evidence): string => spanishTitle({ name: field, title });

function saidOf(one: Evidence, clause: string): string {
  const { text, aside } = valueSaid(one, clause);
  if (typeof one.record.value === 'string' && ISO_DATE.test(one.record.value)) return one.record.value;
  if (typeof one.record.value === 'string')
    return isOpen(one) || /^\p{L}{3,}/u.test(text) ? quoted(text.replaceAll('_', ' ')) : text;
  return inSpanish(`${text}${aside}`);
}

function statement(one: Evidence, name: Evidence | null, clause: string): string {
  const { value } = one.record;
  const rule = SPANISH_VERDICTS.get(one.field);
  if (typeof value === 'boolean' && rule) return value ? rule.yes : rule.no;
  const called = name ? `, ${quoted(String(name.record.value))},` : '';
  const year = pastYear(one);
  const isMany = /^l[oa]s /.test(titleOf(one));
  const verb = year === null ? (isMany ? 'son' : 'es') : `en ${year} ${isMany ? 'eran' : 'era'}`;
  return capital(`${titleOf(one)}${called} ${verb} ${saidOf(one, clause)}`);
}

function verdict(one: Evidence, { outcome, rule }: Decided, clause: string): string {
  const words = SPANISH_VERDICTS.get(one.field);
  if (!words) {
    const own = statement(one, null, clause);
    return outcome === 'line' ? `${own}, demasiado cerca del límite para decidir` : own;
  }
  if (outcome === 'yes' || outcome === 'no') return words[outcome].replaceAll('{value}', saidOf(one, clause));
  const own = rule.yes === true ? '' : `${statement(one, null, clause)}, y `;
  return capital(
    outcome === 'line'
      ? `${own}el lugar está demasiado cerca de la línea del mapa para decidir`
      : `${own}queda abierto si ${words.matter}`,
  );
}

const named = (items: readonly string[]): string => {
  const titles = [...new Set(items)];
  return titles.length > MAX_LISTED ? `${titles.slice(0, MAX_LISTED).join(', ')} y otros` : listed(titles, 'y');
};

const RELATIONS: Readonly<Record<Relation, string>> = {
  ...{ more: 'más de', less: 'menos de', equal: 'exactamente' },
  ...{ 'just over': 'apenas más de', 'just under': 'apenas menos de', mapped: 'en el mapa más de' },
};

function gap(group: readonly Evidence[], rule: VerdictRule | null): string {
  const [{ field, record }] = group as [Evidence];
  const titles = named(group.map(titleOf));
  if (record.status === 'failed')
    return `No se pudo leer ${titles}; ${record.retryable ? 'preguntar de nuevo puede ayudar' : 'preguntar de nuevo no ayudará'}`;
  const words = rule && SPANISH_VERDICTS.get(field);
  return words
    ? `No se sabe aquí si ${words.matter}; lo decidiría ${words.settledBy}`
    : `No se sabe aquí ${titles}: la fuente no tiene datos de este lugar`;
}

/** Spanish, with the same structure as English. */
export const SPANISH: Tongue = {
  statement,
  verdict,
  beside: (text, relation, limit) => `${text}, ${RELATIONS[relation]} ${inSpanish(limit)}`,
  gap,
  missing: group => `No se sabe aquí ${named(group.map(titleOf))}`,
  settle: (_, field) => `Lo decidiría ${SPANISH_VERDICTS.get(field)?.settledBy ?? 'una medición en el lugar'}`,
  lacking: (_, of) =>
    of === 'copy'
      ? 'Esta copia de los datos publicados no tiene una parte de lo que se pregunta; quien opera el servicio puede agregarla'
      : 'Esta edición no tiene datos de una parte de lo que se pregunta; quien la opera puede agregarlos',
  unmet(words, parts: readonly Part[], whole) {
    const what =
      words.length > 0
        ? `Aquí no hay datos sobre ${listed(words.map(quoted), 'y')}`
        : `Ningún dato responde ${whole ? 'esta pregunta' : 'el resto de la pregunta'}`;
    return parts.some(({ enrichment }) => enrichment.length > 0)
      ? `${what}; el registro de la parcela, por enriquecimiento, puede tenerlos`
      : `${what}; se pueden pedir con un lugar de ejemplo`;
  },
  beyond({ kind, written }) {
    switch (kind) {
      case 'set':
        return 'Esto pregunta por muchos lugares, y aquí se responde sobre uno; una búsqueda encuentra parcelas por filtros';
      case 'map':
        return 'Esto pide un mapa, y aquí se responde con texto sobre un lugar; el explorador lo muestra en un mapa';
      case 'place':
        return `Esto pregunta por ${quoted(written)}, y aquí se responde solo sobre el lugar dado; pregunte de nuevo con las coordenadas o la dirección del otro`;
      case 'opinion':
        return 'Esto pide un consejo, y aquí se responde con lo que los datos públicos dicen del lugar; pregunte por lo que lo decide';
      case 'time':
        return `Esto pregunta por otro tiempo, ${quoted(written)}, y aquí se responde con los datos más recientes`;
    }
  },
  standing: () => null,
  ofSource(asked, one) {
    const { dataset_vintage: vintage, confidence } = one.record;
    switch (asked) {
      case 'vintage':
        return vintage === null || !/\d/.test(vintage)
          ? `La fuente no da fecha para ${titleOf(one)}`
          : `${capital(titleOf(one))} viene de datos de ${forReaders(vintage)}`;
      case 'confidence':
        return `La confianza en ${titleOf(one)} es ${{ high: 'alta', medium: 'media', low: 'baja' }[confidence]}`;
      case 'source':
        return `La fuente de ${titleOf(one)} es ${sourceSaid(one)}`;
    }
  },
  unsaid: 'Con los datos consultados no se puede decir aquí nada seguro.',
  closing({ place, years, isMap, standsIn, synthetic }) {
    const about = `Esto trata de ${place}`;
    if (synthetic === 'all')
      return `${about}, con datos sintéticos (synthetic data): inventados, no describen un lugar real`;
    const what = isMap ? 'mapas' : 'datos';
    const dated =
      years === null
        ? `con ${what} sin fecha`
        : `con ${what} de ${years[0] === years[1] ? years[0] : `${years[0]} a ${years[1]}`}`;
    return `${about}, ${dated}${standsIn === null ? '' : ' que sustituyen a los publicados'}${synthetic === 'some' ? '; algunos datos son sintéticos' : ''}`;
  },
};
