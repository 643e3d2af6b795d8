/** One event of a stream; its data are JSON. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/**
 * Splits a text that comes in pieces into lines. A line ends with a line feed; a carriage return before it may remain.
 */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } finally {
    // A reader that stops early closes the connection, which tells the service.
    await reader.cancel().catch(() => {});
  }
}

/**
 * Reads the server-sent events (WHATWG HTML, 9.2) of a response as Plat writes them. Comments are heartbeats and are
 * skipped. An event without the empty line at its end is not returned.
 * @throws TypeError when the connection breaks.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: JSON.parse(data.join('\n')) };
      event = 'message';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}
