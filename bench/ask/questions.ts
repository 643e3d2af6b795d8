import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A question, and the fields that answer it best: none where the catalog does not. */
export interface Question {
  readonly question: string;
  readonly fields: readonly string[];
}

/**
 * The questions of a file beside this one. `fresh`, `blind`, `callers`, `visitors`, `posts`, `letters`, `strangers`, `trades` and
 * `townsfolk` were written before any of them was asked, scored once (recall 0.720, precision 0.701 on 28 November 2026; then 0.788,
 * 0.724; on 29 November 0.815, 0.726; then 0.895, 0.670; 0.846, 0.737; 0.810, 0.644; 0.839, 0.746; on 30 November, of the planner
 * alone, 0.807, 0.762; 0.878, 0.774) and read since. So were `neighbors` (0.847, 0.794, where something answers) and `newcomers`, which
 * are all in slang (0.561, 0.638 on 1 December), and `wayfarers`, written from the titles of the fields alone (0.878, 0.805). Half of `householders` (0.875, 0.792; 28 of 40 that nothing
 * tells were answered) and two thirds of `lodgers` (1.000, 0.794; 9 of 30) ask what no field knows, and so do four fifths of `inquirers`
 * (0.907, 0.751; 77 of 217), a third of which is kept aside as `holdout` (0.939, 0.836; 33 of 108). `sealed`,
 * `passersby` (0.838, 0.749 at first) and `holdout` are for the figure alone: nobody who works on plans reads them.
 */
export function questionsOf(
  name:
    | 'questions'
    | 'muddled'
    | 'sealed'
    | 'fresh'
    | 'blind'
    | 'callers'
    | 'visitors'
    | 'posts'
    | 'letters'
    | 'strangers'
    | 'trades'
    | 'townsfolk'
    | 'neighbors'
    | 'newcomers'
    | 'passersby'
    | 'wayfarers'
    | 'householders'
    | 'lodgers'
    | 'inquirers'
    | 'holdout',
): Question[] {
  const text = readFileSync(fileURLToPath(new URL(`./${name}.tsv`, import.meta.url)), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => {
      const [question = '', fields = ''] = line.split('\t');
      return { question, fields: fields.split(' ').filter(Boolean) };
    });
}

const isSpanish = (question: string): boolean => /[¿¡ñáéíóú]|\b(?:hay|qué|dime|está)\b/i.test(question);
const small = (text: string): string =>
  /^I\b|^\p{Lu}{2}/u.test(text) ? text : `${text[0]!.toLowerCase()}${text.slice(1)}`;

/** Other ways to say the same, by the turns that people use: they change no matter. */
const TURNS: readonly (readonly [RegExp, string])[] = [
  [/\bhow far (?:away )?is\b/gi, 'what is the distance to'],
  [/\bhow many\b/gi, 'what number of'],
  [/\bwho owns\b/gi, 'who is the owner of'],
  [/\bis there\b/gi, 'would there be'],
  [/\bare there\b/gi, 'would there be'],
  [/\bnearest\b/gi, 'closest'],
  [/\bhow steep is\b/gi, 'how steep would you say is'],
  [/\bwhat(?:'s| is) the\b/gi, 'I would like to know the'],
  [/\bis it\b/gi, 'is the place'],
  [/\bthe parcel\b/gi, 'this property'],
  [/\bbig\b/gi, 'large'],
  [/\blikely\b/gi, 'probable'],
];

/** Five ways to ask the same: the same fields are wanted. */
export function paraphrasesOf(question: string): string[] {
  if (isSpanish(question))
    return [
      question.toLowerCase(),
      question.normalize('NFKD').replace(/[\p{M}¿¡]/gu, ''),
      `Hola, buenos días. ${question}`,
      `${question} Muchas gracias.`,
      `Por favor, necesito una respuesta: ${small(question)}`,
    ];
  const sentences = question.split(/(?<=[?!.])\s+/);
  return [
    // Chat: no capitals, no marks.
    question
      .toLowerCase()
      .replace(/[?!.]+$/, '')
      .replace(/'/g, ''),
    // What the asker tells first.
    `Hello! We are thinking about this place and I hope you can help. ${question} Thank you so much.`,
    `Could you please tell me: ${small(question)}`,
    TURNS.reduce((text, [pattern, turn]) => text.replace(pattern, turn), question),
    sentences.length > 1 && sentences.every(sentence => sentence.endsWith('?'))
      ? sentences.reverse().join(' ')
      : `One question before I call the county. ${question}`,
  ];
}

/** What asks about another place or another time, made of what one place answers. */
export function elsewhere(): { readonly place: string[]; readonly time: string[] } {
  const asked = [
    'What is the flood zone',
    'How steep is the ground',
    'What is the elevation',
    'How far is the nearest hospital',
    'Who is the electric company',
    'What is the zoning',
    'How deep is the water table',
    'How much snow falls',
    'Is there fiber internet',
    'How many people live in the county',
  ];
  const places = ['in Denver, Colorado', 'in Houston', 'in Chile', 'at 39.73915, -104.99025', "at my neighbor's house"];
  const times = ['in 1995', 'in 1850', 'in the 1930s', 'fifty years ago', 'next year'];
  return {
    place: asked.flatMap(text => places.map(where => `${text} ${where}?`)),
    time: asked.flatMap(text => times.map(when => `${text.replace(/\bis\b/, 'was')} ${when}?`)),
  };
}
