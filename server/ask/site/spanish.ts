import type { Statistic } from './statistic.ts';

/** Spanish words for a site. */
export const SPANISH_SITE = ['sitio', 'terreno', 'predio', 'finca', 'área', 'propiedad', 'polígono', 'tierra'] as const;

/** How Spanish asks for a statistic of values; folded. */
export const SPANISH_STATISTICS: {
  readonly statistics: readonly (readonly [Statistic, RegExp])[];
  readonly point: RegExp;
  readonly idle: RegExp;
} = {
  statistics: [
    ['least', /\b(?:minim[oa]|mas (?:baj[oa]|plan[oa])|menor)\b/],
    ['most', /\b(?:maxim[oa]|mas (?:alt[oa]|empinad[oa]|profund[oa])|mayor)\b/],
    ['mean', /\b(?:promedio|medi[oa])\b/],
    ['share', /\b(?:porcentaje|por ciento|proporcion|parte|acres|hectareas?|cuanto (?:de|del)|cuanta)\b/],
    ['count', /\b(?:cuant[oa]s|numero de)\b/],
  ],
  point: /\bpunto mas (?:alto|bajo)\b/,
  idle: /\b(?:minim[oa]|maxim[oa]|mas (?:alt[oa]|baj[oa])|menor|mayor|promedio|medi[oa]|porcentaje|por ciento|ciento|proporcion|parte|acres|hectareas?|cuant[oa]s?|numero|punto|cubiert[oa]|cubre|tamano|mide)\b/g,
};
