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
