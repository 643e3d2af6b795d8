/**
 * Ways to say how an answer is to look: they are no matter to search for. A length, a layout, a language, a vertical datum, or
 * that nothing else is wanted.
 */
const FORM: readonly RegExp[] = [
  /\b(?:please )?(?:return|respond|reply|answer|output|format|write|give|provide|express)\b(?: (?:me|it|them|this|the|your|results?|answers?|output|response|values?|only|just|back|with|using|in|as|a|an|valid|single|simple|short|plain|one|exactly|strict(?:ly)?))* (?:json|csv|xml|yaml|markdown|integer|number|digit|word|float|boolean|string|(?:numbered |bulleted |bullet )?list|table|bullets?(?: points?)?|prose|sentences?|paragraph|yes or no(?: answers?)?|object|array)\b(?: (?:only|with (?:the )?(?:keys?|fields?|columns?)))?/gi,
  /\b(?:in|as) (?:(?:an?|valid|strict|plain|one|two|three|a single|a short|numbered|bulleted|bullet)[- ]?)*(?:json|csv|xml|yaml|markdown|prose|table|words|sentences?|paragraph|list|bullets?(?: points?)?|plain (?:text|english))\b/gi,
  /\b(?:numbered|bulleted) list\b|\b(?:one|a|single) (?:line|word|sentence|number) (?:each|only)\b|\bone (?:line|word|sentence) each\b|\bplain text\b|\b(?:no|without(?: any)?) (?:prose|explanations?|commentary|preamble|markdown|caveats|units?)\b|\bnothing else(?: please)?\b|\bthat'?s all\b/gi,
  /\b(?:(?:tell me|say|answer|put) )?(?:it )?in (?:one|an?|a single|two|three|a few|\d+) (?:short )?(?:lines?|tweets?)\b:?|\bany (?:ideas?|thoughts|clues?|advice|hints?|help)\b(?= *[?!.]|$)|\b(?:figures|numbers|facts|data|details) please\b/gi,
  /\b(?:be|keep it|please be|very|as) (?:brief|short|concise|precise|specific)\b(?: please)?|\bcite (?:your |the |all )?sources?\b|\b(?:max(?:imum)?|under|at most) \d+ (?:words|sentences|characters)\b/gi,
  /\b(?:step|task|q|question|item) ?#?\d*\s*[:.)]|\btask\s*:|\bneed\s*:/gi,
  /\b(?:you are|act as) (?:an? )?[\p{L} -]{2,40}?(?=[.,:]|$)/giu,
  /\b(?:above |relative to )?(?:navd ?-?88|ngvd ?-?29|navd|msl)\b|\b(?:the |these |given )?(?:given |following )?(?:coordinates?|lat ?\/? ?(?:long?|lng))\b/gi,
  /\b(?:the |my |our )?(?:user|client|customer|caller)s? (?:wants?|would like|needs?|asks?|is asking)(?: to know| for| about| whether)?\s*:?|\b(?:i['’]?m|i am) an? (?:ai |virtual )?(?:assistant|agent|bot)\b[^:?]*:/gi,
  /\b(?:answer|give|put) (?:each|every|all|them)\b[^.;?!]{0,40}\b(?:line|sentence|word|number|row)s?\b|\bin (?:us |u\.s\. )?dollars\b|\bin usd\b|\bi\.e\.,?/gi,
  /\bfor (?:the|my|our|an?) [^,:?.;]{1,40}(?::|,?(?= (?:i|we) (?:need|want)))|\b(?:at|for) (?:the|this|our|my) (?:\p{L}+ )?(?:location|address|spot)\b/giu,
  /^(?:please )?state(?= (?:the|whether|how|if|its|your)\b)/gi,
  /\b(?:these days|nowadays|right now|at the moment|as of (?:today|now)|by the way|i['’]?d say|i (?:guess|mean)|let['’]?s say|(?<!keep )in mind|for (?:what it'?s|that) (?:worth|matter)|or so|and so on|etc|(?:honest|quick|dumb|silly|stupid|weird|random|simple) question|o sea|es decir|disculpen?|perdon[ea]?)\b/gi,
  /\b(?:(?:could|can|would) you )?(?:please )?(?:tell|help|advise) (?:an?|my|our) [\p{L} -]{3,30}? (?=whether\b|how\b|what\b|if\b|which\b|who\b)/giu,
];

/** Markers of a list: at least two of them, in order. */
const MARKER = /(?:^|(?<=[\s:]))\(?(\d{1,2}|[a-h])[.)]\s+/gi;
/** A key of an object, with what stands for its value. */
const KEY =
  /["'`{]*\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b["'`]*(?:\s*:\s*(?:null|\.{3}|…|"[^"]*"|<[^>]*>|number|string|boolean|true|false|\?))?["'`}]*/gi;
/** Units at the end of a key. */
const KEY_UNIT = /_(?:m|ft|mi|km|cm|mm|in|m2|ac|acres|pct|percent|usd|deg|degrees|c|f|kv|mw|flag|bool|yn)$/i;

/** Keys of what a task is, not of what it asks. */
const ABOUT_TASK = /^(?:task|name|title|id|role|type|format|language|address|place|location|unit)s?$/i;

/** What an object in JSON asks: its texts, and the keys of what it leaves open; null for another text. */
function inObject(text: string): string | null {
  const [object] = /^\s*[{[].*[}\]]/su.exec(text) ?? [];
  if (object === undefined) return null;
  const texts: string[] = [];
  try {
    JSON.parse(object, (key, value: unknown) => {
      if (typeof value === 'string' && value !== '') {
        if (!ABOUT_TASK.test(key)) texts.push(value);
      } else if ((value === null || value === '') && !/^\d*$/.test(key)) texts.push(key);
      return value;
    });
  } catch {
    return null;
  }
  return texts.join('; ');
}

/** Keys as words, each a clause of its own; the names of fields stay whole. */
const inWords = (text: string, isField: (name: string) => boolean): string =>
  text.replace(
    KEY,
    (_, key: string) => ` ${(isField(key.toLowerCase()) ? key : key.replace(KEY_UNIT, '')).replaceAll('_', ' ')}; `,
  );

/** A list with its markers as the ends of clauses. */
function unmarked(text: string): string {
  const marks = [...text.matchAll(MARKER)].map(([, mark]) => mark!.toLowerCase());
  const inOrder = marks.length > 1 && marks.every((mark, i) => mark === String(i + 1) || mark === 'abcdefgh'[i]);
  return inOrder ? text.replace(MARKER, '; ') : text;
}

/**
 * A question without the words that say how its answer is to look; as it is when nothing else is left.
 * @param isField whether a key is the name of a field.
 */
export function withoutForm(question: string, isField: (name: string) => boolean): string {
  const wording = inWords(inObject(question) ?? question, isField);
  const left = FORM.reduce((text, pattern) => text.replace(pattern, ' '), unmarked(wording));
  return /\p{L}{2,}/u.test(left) ? left : question;
}
