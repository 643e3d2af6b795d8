/**
 * Ways to say how an answer is to look: they are no matter to search for. A length, a layout, a language, a vertical datum, or
 * that nothing else is wanted.
 */
const FORM: readonly RegExp[] = [
  /\b(?:please )?(?:return|respond|reply|answer|output|format|write|give|provide|express)\b(?: (?:me|it|them|this|the|your|results?|answers?|output|response|values?|only|just|back|with|using|in|as|a|an|valid|single|simple|short|plain|one|exactly|strict(?:ly)?))* (?:json|csv|xml|yaml|markdown|integer|number|digit|word|float|boolean|string|(?:numbered |bulleted |bullet )?list|table|bullets?(?: points?)?|prose|sentences?|paragraph|yes or no(?: answers?)?|object|array)\b(?: (?:only|with (?:the )?(?:keys?|fields?|columns?)))?/gi,
  /\b(?:in|as) (?:(?:an?|valid|strict|plain|one|two|three|a single|a short|numbered|bulleted|bullet)[- ]?)*(?:json|csv|xml|yaml|markdown|prose|table|words|sentences?|paragraph|list|bullets?(?: points?)?|plain (?:text|english))\b/gi,
  /\b(?:numbered|bulleted) list\b|\b(?:one|a|single) (?:line|word|sentence|number) (?:each|only)\b|\bone (?:line|word|sentence) each\b|\bplain text\b|\b(?:no|without(?: any)?) (?:prose|explanations?|commentary|preamble|markdown|caveats|units?)\b|\bnothing else(?: please)?\b|\bthat'?s all\b/gi,
  /\b(?:be|keep it|please be|very|as) (?:brief|short|concise|precise|specific)\b(?: please)?|\bcite (?:your |the |all )?sources?\b|\b(?:max(?:imum)?|under|at most) \d+ (?:words|sentences|characters)\b/gi,
  /\b(?:step|task|q|question|item) ?#?\d*\s*[:.)]|\btask\s*:|\bneed\s*:/gi,
  /\b(?:you are|act as) (?:an? )?[\p{L} -]{2,40}?(?=[.,:]|$)/giu,
  /\b(?:above |relative to )?(?:navd ?-?88|ngvd ?-?29|navd|msl)\b|\b(?:the |these |given )?(?:given |following )?(?:coordinates?|lat ?\/? ?(?:long?|lng))\b/gi,
];

/** A question without the words that say how its answer is to look; as it is when nothing else is left. */
export function withoutForm(question: string): string {
  const left = FORM.reduce((text, pattern) => text.replace(pattern, ' '), question);
  return /\p{L}{2,}/u.test(left) ? left : question;
}
