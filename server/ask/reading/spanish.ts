/** Spanish words that begin a question or a wish. */
export const SPANISH_ASKING =
  'cómo|como|qué|que|cuál|cual|cuáles|cuales|quién|quien|quiénes|dónde|donde|cuándo|cuando|cuánto|cuanto|cuánta|cuanta|cuántos|cuantos|cuántas|cuantas|hay|está|esta|están|es|son|queda|tiene|dime|dígame|digame|muestra|quiero|necesito|a qué|a que|a cuántas|a cuántos|en qué|en que|de quién|por qué|puedo|se puede';

/** Sets of places, singular ones that divide the world, and whole worlds. Folded. */
export const SPANISH_SET = {
  plural:
    'paises|condados|estados(?! unidos)|ciudades|municipios|pueblos|regiones|provincias|parcelas|lotes|terrenos|propiedades|propietarios|duenos',
  before:
    'que|cuales|cuantos|cuantas|todos los|todas las|lista|muestra|busca|entre los|entre las|en los|en las|otros|otras',
  division: 'por (?:pais|condado|estado|region|ciudad)',
  world: 'en (?:todo )?el mundo|a nivel mundial|mundial',
} as const;

/** Asks for a picture. Folded. */
export const SPANISH_MAP =
  'mapa de calor|(?:haz|hazme|crea|genera|dibuja|muestra|muestrame|dame) (?:un |el )?(?:mapa|grafico)';

/** Another place without a name. Folded. */
export const SPANISH_NEIGHBOR =
  '(?:casa|lote|terreno|propiedad|parcela) (?:de(?:l| mi| la| el)* vecin[oa]s?|de al lado|de enfrente|vecin[oa])';

/** Another time. Folded. */
export const SPANISH_TIME = {
  past: 'hace (?:\\p{N}+|\\p{L}+) (?:anos|decadas|siglos)|el siglo pasado|ayer',
  future: '(?:dentro de|en) (?:\\p{N}+|dos|tres|cinco|diez|veinte|treinta) anos|manana|el ano que viene|el proximo ano',
} as const;

/** Parts of a question that are refused, up to the end of the clause. */
export const SPANISH_UNWANTED =
  'todo menos(?: el| la)?|sin (?:incluir|contar|considerar|mencionar)|excepto|salvo|menos (?:la|el|los|las)|pero no|^no (?:el|la|los|las)\\b|no me (?:interesan?|importan?)|no quiero|no necesito|aparte de|olv[ií]d[ae](?:te)?(?: de)?|ignor[ae]';

/** Words by which a thing is wanted after all: before it, and after it. */
export const SPANISH_WANTED = { first: 'solo|sólo|solamente|sino', last: 's[ií]' } as const;

/** Joints of Spanish clauses, beside `y`, `e`, `o` and `pero`. */
export const SPANISH_JOINT = 'y tambien|y también|ademas de|además de|asi como|así como|junto con';

/** Comparisons, numbers and shares in words, and what they are in English. */
const AMOUNTS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:m[aá]s de|mayor(?:es)? (?:de|que|a)|supera(?:n)?(?: los| las| el| la)?|por encima de)(?= (?:\$?\d|un|una|la mitad|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cincuenta|cien|mil)\b)/giu,
    'more than',
  ],
  [
    /\b(?:menos de|menor(?:es)? (?:de|que|a)|por debajo de|inferior a)(?= (?:\$?\d|un|una|la mitad|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cincuenta|cien|mil)\b)/giu,
    'less than',
  ],
  [
    /\b(?:al menos|por lo menos|como m[ií]nimo|m[ií]nimo de)(?= (?:\$?\d|un|una|la mitad|dos|tres|cuatro|cinco|diez)\b)/giu,
    'at least',
  ],
  [/\b(?:como m[aá]ximo|a lo sumo|hasta)(?= (?:\$?\d|un|una|la mitad|dos|tres|cuatro|cinco|diez)\b)/giu, 'at most'],
  [/\bpor ciento\b/giu, 'percent'],
  [/\bla mitad\b/giu, 'half'],
  [/\b(?:un|una) (?:cuarto|cuarta parte)\b/giu, 'a quarter'],
  [/\b(?:un tercio|una tercera parte)\b/giu, 'a third'],
  [
    /(?<=\b(?:than|least|most) )(?:dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cincuenta|cien|mil)\b/giu,
    '',
  ],
];
const DIGITS: Readonly<Record<string, number>> = {
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  veinte: 20,
  treinta: 30,
  cincuenta: 50,
  cien: 100,
  mil: 1000,
};

/** A text whose Spanish comparisons, numbers and shares are written as in English; as it is where it has none. */
export const inEnglishAmounts = (text: string): string =>
  AMOUNTS.reduce(
    (rest, [pattern, english]) =>
      rest.replace(pattern, written => (english === '' ? String(DIGITS[written.toLowerCase()]) : english)),
    text,
  );

/** Words that only Spanish questions have, folded. */
const SPANISH_WORDS =
  /[¿¡]|\b(?:que|cual|cuales|cuanto|cuanta|cuantos|cuantas|donde|cuando|quien|esta|hay|dime|digame|haz|mi|el|la|los|las|de|del|un|una|en|es|son|para|por|y)\b/gu;

/** Whether a question is Spanish: at least two words, or a mark, that no other language here has. */
export function isSpanish(folded: string): boolean {
  const all = folded.match(/\p{L}+/gu)?.length ?? 0;
  const own = folded.match(SPANISH_WORDS)?.length ?? 0;
  return /[¿¡]/.test(folded) || (own >= 2 && own >= 0.2 * all);
}

/** Questions for advice alone, folded. */
export const SPANISH_OPINION =
  '(?:deberia|deberiamos|conviene|vale la pena|me recomiendas?|nos recomiendas?|recomienda(?:rias?)?|aconsejas?|compraria[sn]?|vivirias?)(?: (?:usted|tu))?(?: (?:comprar(?:l[ao])?|vivir|invertir|mudar(?:me|nos|se)|alquilar(?:l[ao])?))?(?: (?:aqui|esta|este|esto|la|el|en|casa|lugar|terreno|lote|propiedad|parcela))*|que (?:opina|piensa|aconseja|recomienda)[sn]?(?: (?:usted|de|esta|este|casa|lugar))*|es (?:una )?(?:buena|mala) (?:compra|inversion|idea)';

/** What an answer says instead of what goes beyond one place as it is today. @param name what the question names. */
export const SPANISH_REFUSALS = {
  set: () =>
    'Esto pregunta por muchos lugares, y aquí se responde sobre uno. Las parcelas que cumplen unas condiciones se pueden encontrar, contar, ordenar y sumar, y un lote de consultas lee los mismos valores en muchos lugares.',
  map: () =>
    'Esto pide un mapa o un gráfico, y aquí se responde con texto sobre un lugar. El explorador muestra un lugar y sus parcelas en un mapa.',
  place: (name: string) =>
    `Esto pregunta por ${name}, y aquí se responde solo sobre el lugar dado. Pregunte de nuevo con las coordenadas o la dirección del otro lugar, si está en los Estados Unidos.`,
  time: (name: string) =>
    `Esto pregunta por otro tiempo, ${name}, y aquí se responde con los datos más recientes del lugar: ningún valor es de ese tiempo.`,
  opinion: () =>
    'Esto pide un consejo, y aquí se responde con lo que los datos públicos dicen del lugar. Pregunte por lo que lo decide para usted, como inundaciones, ruido, escuelas o la última venta.',
} as const;
