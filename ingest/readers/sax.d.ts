declare module 'sax' {
  /** An XML parser that takes text in pieces. */
  interface SaxParser {
    onopentag: (tag: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): SaxParser;
    close(): SaxParser;
  }
  const sax: {
    /** @param strict names keep their case, and text that is no XML is an error. */
    parser(strict: boolean): SaxParser;
  };
  export default sax;
}
