import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';
import type { Tongue } from './tongue.ts';

/** Marks and small words of each language. */
const OF_SPANISH =
  /[¿¡ñáéíóú]|\b(?:el|la|los|las|del?|que|cual|cuanto|esta|hay|es|en|una?|un|por|para|con|mi|tiene|puedo|queda|cerca|como|si|se|al?|y|o|lejos|terreno|aqui|dime)\b/giu;
const OF_ENGLISH =
  /\b(?:the|is|are|was|what|which|who|where|when|how|of|in|on|it|this|that|my|our|do|does|can|could|there|near|nearest|and|or|a|an|to|at|for|from|far|many|much|any|give|tell)\b/giu;

/** The language that a question is written in. */
export const tongueOf = (question: string): Tongue =>
  (question.match(OF_SPANISH)?.length ?? 0) > (question.match(OF_ENGLISH)?.length ?? 0) ? SPANISH : ENGLISH;

/** Whether a question is written in Spanish, and is to be answered so. */
export const isInSpanish = (question: string): boolean => tongueOf(question) === SPANISH;
