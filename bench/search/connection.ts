import { connect, type Socket } from 'node:net';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** What a server answered. */
export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * One kept-alive HTTP/1.1 connection that sends one request after the other and reads answers with a Content-Length:
 * client and server share the cores, so the client does no more than the bench needs.
 */
export class Connection {
  readonly #socket: Socket;
  #chunks: Buffer[] = [];
  #received = 0;
  /** Bytes of the answer with its head; null until the head has come. */
  #expected: number | null = null;
  #headBytes = 0;
  #status = 0;
  #pending: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#receive(chunk));
    const fail = (error?: Error) => {
      this.#pending?.reject(error ?? new Error('The server closed the connection'));
      this.#pending = null;
    };
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a whole request and waits for the whole answer. */
  send(request: Buffer): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#expected === null) {
      const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const head = bytes.toString('latin1', 0, end);
      this.#headBytes = end + END_OF_HEAD.length;
      this.#expected = this.#headBytes + Number(/\r\ncontent-length: (\d+)/i.exec(head)![1]);
      this.#status = Number(head.slice(9, 12));
    }
    if (this.#received < this.#expected) return;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const reply = { status: this.#status, body: bytes.subarray(this.#headBytes, this.#expected) };
    this.#chunks = [];
    this.#received = 0;
    this.#expected = null;
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve(reply);
  }
}

/** The bytes of POST /v1/search with a JSON body. */
export function searchRequest(token: string, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head = `POST /v1/search HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), text]);
}
