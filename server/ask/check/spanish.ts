import { inEnglishAmounts, isSpanish } from '../reading/spanish.ts';
import { folded, inEnglish } from '../retrieval/words.ts';

/** Spanish turns that deny, count, compare, suppose, join or name the place, and what they are in English. Folded. */
const TURNS: readonly (readonly [RegExp, string])[] = [
  // Spanish denies once with two words: no está en ningún lago.
  [/(?<=\b(?:no|sin|nunca) [^,.;:]*)\b(?:ningun[oa]?|nunca|nada|nadie)\b/g, 'any'],
  // What is too near to decide could be either.
  [/\bpara decidir(?:lo)?\b/g, 'as it could be either'],
  [/\b(?:lo )?(?:decidirian?|confirmarian?|aclararian?)\b/g, 'it would be settled by'],
  [/\b(?:el|este) (?:lugar|punto|sitio|terreno|lote|predio|tramo censal|tracto)\b/g, 'the place'],
  [/\by(?= )/g, 'and'],
  [/\bpero\b/g, 'but'],
  [/\baunque\b/g, 'although'],
  [/\bno (?:esta|estan|queda|cae|se encuentra|es|son)\b/g, 'is not'],
  [/\bno (?:hay|existen?|tiene|se registran?)\b/g, 'there is no'],
  [/\bno (?:supera|excede|llega|alcanza)\b/g, 'does not exceed'],
  [/\b(?:ningun[oa]?|sin|nunca)\b/g, 'no'],
  [/\bfuera del?\b/g, 'outside'],
  [/\bdentro del?\b/g, 'inside'],
  [/\b(?:varios|varias|muchos|muchas)\b/g, 'several'],
  [/\b(?:si hay|hay|existen?)\b/g, 'there is'],
  [/\b(?:esta|estan|queda|cae|se encuentra|es|son)\b/g, 'is'],
  [/\b(?:supera|excede)\b/g, 'exceeds'],
  [/\bsi\b(?=[,.]|$)|^si\b/g, 'yes'],
];

/** The limits of a Spanish sentence written as in English; any other sentence as it is. */
export const withEnglishLimits = (text: string): string =>
  isSpanish(folded(text))
    ? inEnglishAmounts(text.replace(/(?<!no )\bsupera(?:n)? (?:los |las |el |la )?(?=\d)/giu, 'exceeds ')).replace(
        /\bexceeds? (?:los |las )/gi,
        'exceeds ',
      )
    : text;

/** What a Spanish sentence claims, word by word in English; null for another sentence. */
export function claimInEnglish(text: string): string | null {
  const plain = folded(text);
  if (!isSpanish(plain)) return null;
  return TURNS.reduce((rest, [pattern, english]) => rest.replace(pattern, english), plain).replace(
    /\p{L}+/gu,
    word => inEnglish(word)[0] ?? word,
  );
}
